package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/** Token bucket in one timestamp: the Generic Cell Rate Algorithm. Immutable. */
public final class Gcra implements Algorithm, Traced {
  /*
   * A bucket of `burst` tokens gains one every `interval`. Instead of counting tokens we store the
   * instant at which the bucket will be full again, the theoretical arrival time:
   *     tokens(now) = burst - (tat - now) / interval      for tat >= now; full otherwise
   * Spending `cost` pushes that instant later by cost * interval. It is pushed from max(tat, now),
   * so an idle bucket is full and never more than full. The request fits when
   *     max(tat, now) + cost * interval - now <= burst * interval
   * Hence over any span d at most burst + d / interval units pass (law L1).
   *
   * A token bucket counts what is left, a leaky bucket what is used: all three names are this law.
   *
   * `interval` is unitNumerator / unitDenominator nanoseconds (Interval). With denominator 1 the
   * state is one word, until = tat. Otherwise until is tat rounded up and x is what the rounding
   * added, in 1 / denominator nanoseconds: tat = until - x / denominator, exactly.
   *
   * A change of the limit keeps the used units (tat - now) / interval, as a fraction (Debt).
   */
  private final String name;

  public Gcra(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Shape shape(Limit limit) {
    return limit.unitDenominator() == 1 ? Shape.ONE_WORD : Shape.THREE_WORDS;
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    if (Arrears.decide(step, limit.capacity(), cost)) {
      return;
    }
    long debt = Math.max(step.until - nowNanos, 0);
    if (cost > limit.capacity() && !step.forced()) {
      step.denyForever(Interval.unitsLeft(limit, debt, step.x), debt);
      step.moreAfterNanos(More.ofDebt(limit, debt, step.x, step.remaining()));
      return;
    }
    long next = Interval.longer(limit, debt, step.x, cost);
    long nextX = Interval.rounding(limit, debt, step.x, cost, next);
    long excess = Interval.excess(limit, next, nextX);
    if (excess > 0 && cost > 0 && !step.forced()) {
      step.deny(Interval.unitsLeft(limit, debt, step.x), excess, debt);
      return;
    }
    if (cost > 0) {
      Debt.keep(step, limit, nowNanos, cost, next);
    }
    step.allow(Interval.unitsLeft(limit, next, nextX), Math.min(next, Wide.MAX));
    step.moreAfterNanos(More.ofDebt(limit, step.resetAfterNanos(), nextX, step.remaining()));
    step.ticket(Math.max(1, nowNanos));
  }

  /**
   * The same for a limit whose interval is whole and a cost from 1 to its capacity, both as the
   * time they take to come back: the next tat if it fits, else minus the wait.
   */
  public static long next(long tat, long capacityNanos, long nowNanos, long costNanos) {
    long debt = Math.max(tat - nowNanos, 0);
    long excess = debt + (costNanos - capacityNanos);
    return excess > 0 ? -(debt > Wide.MAX ? Wide.MAX : excess) : nowNanos + debt + costNanos;
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    Debt.used(step, limit, nowNanos);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    Debt.carry(step, limit, nowNanos);
  }

  /*
   * What was taken at `ticket` has drained since: a full refund would pay that part twice and lift
   * the bound L1 by it (R21). The credit is cost * interval - (now - ticket), never below 0.
   */
  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    long elapsed = ticket == 0 ? 0 : Math.max(0, nowNanos - ticket);
    Debt.giveBack(step, limit, nowNanos, cost, elapsed);
  }

  /*
   * Whoever keeps some units has taken those and no more: they drain first, and the others begin
   * when they are gone, so a ticket may lie ahead. Keeping 1 leaves what taking 1 would have left.
   */
  @Override
  public long rest(long ticket, long kept, Limit limit) {
    return ticket + Wide.mulAddDiv(kept, limit.unitNumerator(), 0, limit.unitDenominator());
  }

  @Override
  public long follow(long ticket, Limit from, Limit to, long nowNanos) {
    return ticket > nowNanos
        ? nowNanos + Scale.down(from, to, ticket - nowNanos)
        : Scale.passed(ticket, from, to, nowNanos);
  }

  @Override
  public long counted(long units, long ticket, Limit limit, long nowNanos) {
    long elapsed = Math.max(0, nowNanos - ticket);
    long gone = Wide.mulDivCeil(elapsed, limit.unitDenominator(), limit.unitNumerator());
    return Math.max(0, units - gone);
  }
}
