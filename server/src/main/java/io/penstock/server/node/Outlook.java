package io.penstock.server.node;

import io.penstock.core.state.StateTable;
import io.penstock.core.state.Together;

/**
 * What single keys are told, now and when a block or limits of their own are over, as if nothing
 * else happened until then. Thread-safe.
 */
final class Outlook {
  private final Subjects subjects;
  private final StateTable table;

  Outlook(Subjects subjects, StateTable table) {
    this.subjects = subjects;
    this.table = table;
  }

  /** What a key alone is told at an instant that only looks. */
  Part look(Subject subject, long nowNanos, long cost) {
    return alone(subject, nowNanos, cost, /* looks= */ true, Decider.PLAIN);
  }

  /** What a key alone is told at an instant: it takes, or only looks. */
  Part alone(Subject subject, long nowNanos, long cost, boolean looks, Decider.Asking asking) {
    Together turns = new Together().onlyLooks(looks);
    Subject current = subject;
    current.addTurns(turns, table, nowNanos, cost);
    asking.ask(current);
    while (turns.size() > 0 && !turns.isPlayed()) {
      turns.again();
      current = subjects.of(subject.domain(), subject.asked(), nowNanos);
      current.addTurns(turns, table, nowNanos, cost);
      asking.ask(current);
      subject.notPlayed();
    }
    return current.isCounted() ? current.played() : current.uncounted();
  }

  /** What a blocked key is told: it must wait for the block, and for what its limits say then. */
  Part blocked(Subject subject, long nowNanos, long cost) {
    return subject.blocked(at(subject.special().blockedUntil(), subject, cost), nowNanos);
  }

  /** An answer as it is told to a key that is set apart from others. */
  Part shown(Part part, Subject subject, long nowNanos, long cost) {
    return subject.shown(past(part, subject, nowNanos, cost), nowNanos);
  }

  /** An answer whose times are right beyond the end of the limits that a key has of its own. */
  private Part past(Part part, Subject subject, long nowNanos, long cost) {
    KeyOverride own = subject.special().own();
    Meter meter = part.meter();
    if (own == null || meter == null) {
      return part;
    }
    long rest = own.untilNanos() - nowNanos;
    long told = Math.max(part.retryAfterNanos(), meter.resetAfterNanos());
    return told <= rest
        ? part
        : part.continued(at(own.untilNanos(), subject, part.allowed() ? 0 : cost), rest);
  }

  private Part at(long nanos, Subject subject, long cost) {
    Subject then = subjects.of(subject.domain(), subject.asked(), nanos);
    Part part = then.isCounted() ? look(then, nanos, cost) : then.uncounted();
    return past(part, then, nanos, cost);
  }
}
