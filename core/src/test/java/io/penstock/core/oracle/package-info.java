/**
 * Every algorithm once more, written in the most obvious way: what the fast ones must agree with.
 */
@NullMarked
package io.penstock.core.oracle;

import org.jspecify.annotations.NullMarked;
