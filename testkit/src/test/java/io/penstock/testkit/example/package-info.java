/** What a user could write: a store, an algorithm and a clock, each in a few lines. */
@NullMarked
package io.penstock.testkit.example;

import org.jspecify.annotations.NullMarked;
