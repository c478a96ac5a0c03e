package io.penstock.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * A node of the tree of scopes that has others below it. Immutable. A node without is only its
 * value.
 *
 * @param id the number by which edges leave it; never used again
 * @param value what applies to its own scope; null if nothing does
 * @param children how many edges leave it
 */
record Fork(long id, @Nullable Object value, int children) {
  Fork withValue(@Nullable Object newValue) {
    return new Fork(id, newValue, children);
  }

  Fork withChildren(int count) {
    return new Fork(id, value, count);
  }
}
