package io.penstock.core.state;

import io.penstock.core.algorithm.Traced;

/**
 * What is left of the units that were taken with a ticket, followed through changes of the policy.
 * Not thread-safe.
 */
public final class Claim {
  private Rule rule;
  private long ticket;
  private long units;

  /** The units taken with a ticket under a rule, less the first ones, which are kept. */
  public Claim(Rule rule, long ticket, long taken, long kept) {
    boolean part = kept > 0 && rule.algorithm() instanceof Traced;
    this.rule = rule;
    this.ticket = part ? ((Traced) rule.algorithm()).rest(ticket, kept, rule.limit()) : ticket;
    this.units = taken - kept;
  }

  /*
   * As a state is converted (Handover): rule by rule, each at the instant it ended. At each the
   * units that no longer count are gone; the others go on as what was carried over.
   */
  public void followTo(Rule to, long nowNanos) {
    Way way = new Way().from(rule);
    while (way.at() != to) {
      way.goOn(to, nowNanos);
      handTo(way.at(), way.nanos());
    }
  }

  /** Goes on under another rule from an instant on. */
  public void handTo(Rule to, long nowNanos) {
    if (!(rule.algorithm() instanceof Traced old) || !(to.algorithm() instanceof Traced next)) {
      units = 0;
    } else if (units > 0 && old.getClass() == next.getClass()) {
      ticket = old.follow(ticket, rule.limit(), to.limit(), nowNanos);
      units = ticket == Traced.GONE ? 0 : units;
    } else if (units > 0) {
      units = old.counted(units, ticket, rule.limit(), nowNanos);
      ticket = next.carried(to.limit(), nowNanos);
    }
    rule = to;
  }

  public long ticket() {
    return ticket;
  }

  /** How many of the units still count, as far as that can be told without looking. */
  public long counted(long nowNanos) {
    return units > 0 && rule.algorithm() instanceof Traced traced
        ? traced.counted(units, ticket, rule.limit(), nowNanos)
        : 0;
  }

  /** How many units may be given back, less what has come back by itself since the last change. */
  public long units() {
    return units;
  }
}
