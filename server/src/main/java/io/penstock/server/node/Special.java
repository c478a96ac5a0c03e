package io.penstock.server.node;

import org.jspecify.annotations.Nullable;

/**
 * What sets one key apart at an instant. Immutable.
 *
 * @param blockedUntil until when it is denied, if that is not over
 * @param own the limits it is under in place of its policy's
 * @param left the limits it was under, which are over
 * @param resetAt when its counters were last reset; 0 if nobody remembers
 */
record Special(
    long blockedUntil, @Nullable KeyOverride own, @Nullable KeyOverride left, long resetAt) {
  /** Nothing, as for nearly every key. */
  static final Special NONE =
      new Special(/* blockedUntil= */ 0, /* own= */ null, /* left= */ null, /* resetAt= */ 0);

  /** Whether nothing but its policy tells what it is answered. */
  boolean isAnsweredLikeOthers() {
    return own == null && blockedUntil == 0;
  }

  /** The latest limits that it had of its own, over or not. */
  @Nullable KeyOverride latest() {
    return own == null ? left : own;
  }

  /** When the limits it was under were over; 0 if there were none. */
  long leftNanos() {
    return left == null ? 0 : left.untilNanos();
  }
}
