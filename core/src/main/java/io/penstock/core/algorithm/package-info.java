/** The algorithms: pure functions of (state, limit, now, cost), one file each. */
@NullMarked
package io.penstock.core.algorithm;

import org.jspecify.annotations.NullMarked;
