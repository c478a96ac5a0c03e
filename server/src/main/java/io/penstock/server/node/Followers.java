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
  private final long nowNanos;
  private final Map<Change, Rule> known = new HashMap<>();

  Followers(Rules rules, long nowNanos) {
    this.rules = rules;
    this.nowNanos = nowNanos;
  }

  /** What follows a rule; null stands for any rule that keys come from. */
  Rule of(@Nullable Rule old, Limit limit, Algorithm algorithm) {
    return known.computeIfAbsent(
        new Change(old, limit, algorithm), each -> rules.follow(limit, algorithm, nowNanos));
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

  /** Ends a rule in favour of another; if others share it, the other only tells where it began. */
  void end(Rule old, @Nullable Rule successor) {
    Rule begun = successor == null || successor.isShared() ? null : successor;
    if (!old.isShared()) {
      old.endsAt(nowNanos, begun == null ? successor : begun.from(old.origin()));
    } else if (begun != null) {
      begun.after(old);
    }
  }
}
