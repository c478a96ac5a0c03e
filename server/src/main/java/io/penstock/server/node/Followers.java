package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules that follow others in one change. Policies that had the same rule and get the same
 * limit get the same rule again: numbers of rules are few, and customers of a tier many. Confined
 * to whoever changes the book.
 */
final class Followers {
  private record Change(@Nullable Rule old, Limit limit, Algorithm algorithm) {}

  private final Rules rules;
  private final long sinceNanos;
  private final long nowNanos;
  private final Map<Change, Rule> known = new HashMap<>();

  Followers(Rules rules, long nowNanos) {
    this(rules, nowNanos, nowNanos);
  }

  private Followers(Rules rules, long sinceNanos, long nowNanos) {
    this.rules = rules;
    this.sinceNanos = sinceNanos;
    this.nowNanos = nowNanos;
  }

  /*
   * Where nothing was before, there is no instant of a change; nor is every clock right. But keys
   * may come from scopes that do not cover this one, as from user=*c to user=ab*.
   */
  /** Rules that follow none, and hold from the beginning of time. */
  static Followers ofNone(Rules rules, long nowNanos) {
    return new Followers(rules, /* sinceNanos= */ 0, nowNanos);
  }

  /** What follows a rule; null stands for any rule that keys come from. */
  Rule of(@Nullable Rule old, Limit limit, Algorithm algorithm) {
    return known.computeIfAbsent(
        new Change(old, limit, algorithm), each -> follower(limit, algorithm));
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
        new Change(old, old.limit(), old.algorithm()),
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
