/** A client that asks faster than servers answer, to measure servers. */
@NullMarked
package io.penstock.bench.load;

import org.jspecify.annotations.NullMarked;
