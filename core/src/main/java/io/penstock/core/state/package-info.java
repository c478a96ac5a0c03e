/**
 * Where states live: the flat table, its memory, its locks, and the rules states were written by.
 */
@NullMarked
package io.penstock.core.state;

import org.jspecify.annotations.NullMarked;
