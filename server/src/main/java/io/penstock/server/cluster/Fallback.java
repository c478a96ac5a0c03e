package io.penstock.server.cluster;

import org.jspecify.annotations.Nullable;

/** What is answered when nobody else does. */
interface Fallback<T> {
  /** The answer, or null if only an error can be told. */
  @Nullable T answer();

  /** Whether the owner must not count what was answered so (R20). */
  default boolean isCancel(T answer) {
    return false;
  }
}
