package io.penstock.core.algorithm;

import io.penstock.core.Limit;

/**
 * An algorithm that can say what becomes of a ticket when the policy changes, so that a reservation
 * gives back those of its units that still count, and never what others have used. Immutable.
 */
public interface Traced {
  /** The ticket of units none of which counts any more. */
  long GONE = Long.MIN_VALUE;

  /** What a ticket of limit {@code from} is under limit {@code to}, changed at this instant. */
  long follow(long ticket, Limit from, Limit to, long nowNanos);

  /** How many of the units taken with a ticket still count, rounded down. */
  long counted(long units, long ticket, Limit limit, long nowNanos);

  /** The ticket of units that were carried over from another algorithm at this instant. */
  default long carried(Limit limit, long nowNanos) {
    return Math.max(1, nowNanos);
  }

  /** The ticket of what is left if the first {@code kept} units taken with a ticket are kept. */
  default long rest(long ticket, long kept, Limit limit) {
    return ticket;
  }
}
