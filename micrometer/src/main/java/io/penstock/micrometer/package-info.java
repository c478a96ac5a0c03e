/** Decisions and memory as Micrometer meters, with bounded tags. */
@NullMarked
package io.penstock.micrometer;

import org.jspecify.annotations.NullMarked;
