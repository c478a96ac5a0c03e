/** The library that people embed: limits, policies, decisions and the in-memory limiter. */
@NullMarked
package io.penstock.core;

import org.jspecify.annotations.NullMarked;
