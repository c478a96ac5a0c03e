/** Policies by scope: what applies to whom. */
@NullMarked
package io.penstock.core.policy;

import org.jspecify.annotations.NullMarked;
