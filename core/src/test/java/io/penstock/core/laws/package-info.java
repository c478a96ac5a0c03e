/** The laws of every algorithm, as properties. */
@NullMarked
package io.penstock.core.laws;

import org.jspecify.annotations.NullMarked;
