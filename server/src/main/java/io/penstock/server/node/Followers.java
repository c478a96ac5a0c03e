package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.server.policy.PolicyDocument;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules that follow others in one change. Policies that had the same rule and say the same get
 * the same rule again: numbers of rules are few, and customers of a tier many. Confined to whoever
 * changes the book.
 */
final class Followers {
  /*
   * A rule has one end and one follower. So policies share one only if whatever follows will be the
   * same for all of them: not if one day their tier may change it for some.
   */
  private record Said(List<Limit> limits, @Nullable Algorithm algorithm, Counters counters) {}

  private record Change(
      @Nullable Said said, @Nullable Rule old, Limit limit, Algorithm algorithm) {}

  private final Rules rules;
  private final long sinceNanos;
  private final long nowNanos;
  private final @Nullable Said said;
  private final Map<Change, Rule> known;

  Followers(Rules rules, long nowNanos) {
    this(rules, nowNanos, nowNanos, /* said= */ null, new HashMap<>());
  }

  private Followers(
      Rules rules, long sinceNanos, long nowNanos, @Nullable Said said, Map<Change, Rule> known) {
    this.rules = rules;
    this.sinceNanos = sinceNanos;
    this.nowNanos = nowNanos;
    this.said = said;
    this.known = known;
  }

  /** Those of policies that say the same about what they count, and read the same counters. */
  Followers saying(PolicyDocument document, Counters counters) {
    Said said = new Said(document.ownLimits(), document.ownAlgorithm(), counters);
    return new Followers(rules, sinceNanos, nowNanos, said, known);
  }

  /*
   * Where nothing was before, there is no instant of a change; nor is every clock right. But keys
   * may come from scopes that do not cover this one, as from user=*c to user=ab*.
   */
  /** Rules that follow none, and hold from the beginning of time. */
  static Followers ofNone(Rules rules, long nowNanos) {
    return new Followers(rules, /* sinceNanos= */ 0, nowNanos, /* said= */ null, new HashMap<>());
  }

  /** What follows a rule; null stands for any rule that keys come from. */
  Rule of(@Nullable Rule old, Limit limit, Algorithm algorithm) {
    return known.computeIfAbsent(
        new Change(said, old, limit, algorithm), each -> follower(limit, algorithm));
  }

  private Rule follower(Limit limit, Algorithm algorithm) {
    Rule rule = rules.follow(limit, algorithm, sinceNanos);
    if (!rule.isShared()) {
      rule.begunAt(nowNanos);
    }
    return rule;
  }

  /** The same rule again, under which nobody owes more than fits. */
  Rule forgiving(Rule old) {
    return known.computeIfAbsent(
        new Change(said, old, old.limit(), old.algorithm()),
        each -> {
          Rule rule = rules.add(old.limit(), old.algorithm(), /* slot= */ 0, nowNanos);
          rule.forgive();
          return rule;
        });
  }

  /** Ends a rule in favour of another; if others share it, keys only leave it. */
  void end(Rule old, @Nullable Rule successor) {
    if (old.isShared()) {
      leave(old, successor);
    } else if (successor == null || successor.isShared()) {
      old.endsAt(nowNanos, successor);
    } else {
      old.endsAt(nowNanos, successor.from(old.origin()));
    }
  }

  /** Says that keys leave a rule, which goes on for others: the new one tells where it began. */
  void leave(Rule old, @Nullable Rule next) {
    if (next != null && !next.isShared()) {
      next.after(old);
    }
  }
}
