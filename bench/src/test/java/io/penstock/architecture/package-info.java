/** What is true of the whole project: its shape, its sizes, its names. */
@NullMarked
package io.penstock.architecture;

import org.jspecify.annotations.NullMarked;
