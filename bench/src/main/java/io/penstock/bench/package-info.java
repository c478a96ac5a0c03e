/** Benchmarks of the engine and of its peers. */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;
