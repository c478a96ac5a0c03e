package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Consistency;
import io.penstock.core.policy.Terms;
import io.penstock.server.policy.LimitChecks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the overrides of single keys, whose rules the book holds. Thread-safe. */
final class Overrides {
  private final PolicyBook book;

  Overrides(PolicyBook book) {
    this.book = book;
  }

  /** One that was kept. */
  KeyOverride kept(OrderNote.Kept kept) {
    OrderNote.Limits own = kept.own();
    OrderNote.Limits before = kept.before();
    return new KeyOverride(
        book.hold(terms(own.policy()), own.counters()),
        kept.sinceNanos(),
        kept.untilNanos(),
        kept.earlierNanos(),
        kept.forgottenNanos(),
        before == null ? null : Grant.past(terms(before.policy()), before.counters()));
  }

  /** Limits that take over from others and are counted as those of the policy are, if they can. */
  KeyOverride next(
      @Nullable KeyOverride last,
      @Nullable Grant general,
      List<Limit> limits,
      long untilNanos,
      long nowNanos) {
    Policy replaced = general == null ? null : general.terms().policy();
    Policy policy =
        LimitChecks.counted(limits, replaced == null ? Algorithm.GCRA : replaced.algorithm());
    Counters counters =
        general == null ? Counters.PLAIN : general.counters().next(general.limits(), limits);
    return new KeyOverride(
        book.hold(terms(policy), counters),
        nowNanos,
        untilNanos,
        last == null ? KeyOverride.NEVER : last.sinceNanos(),
        untilNanos + KeyOverride.lasting(limits, general == null ? List.of() : general.limits()),
        last == null || last.isOver(nowNanos) ? general : last.grant());
  }

  /** One that is over by now. */
  static @Nullable KeyOverride ended(@Nullable KeyOverride last, long nowNanos) {
    return last == null || last.isOver(nowNanos) ? last : last.endingAt(nowNanos);
  }

  private static Terms terms(Policy policy) {
    return new Terms(
        policy,
        Consistency.FAST,
        /* serviceClass= */ "",
        /* localCap= */ null,
        /* shadow= */ false,
        /* enabled= */ true,
        /* refunds= */ false,
        /* blocked= */ false,
        Terms.BUDGET_MILLIS,
        /* share= */ List.of());
  }
}
