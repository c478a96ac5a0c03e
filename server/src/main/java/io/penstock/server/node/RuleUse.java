package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which rules are in use, so that the numbers of the others can be given again. Confined to whoever
 * changes the book.
 */
final class RuleUse {
  /*
   * Keys that leave a shared rule together, because the policy of their scope changed, leave states
   * under it that are converted when they are next touched. So a rule that nobody has any more ends
   * in favour of the rule these keys left for. If they left for several, nobody can tell which of
   * them a state is to go on under; then it stays until all these states are idle.
   */
  private record Left(@Nullable Rule successor, long untilNanos) {
    Left and(Rule other, long nanos) {
      return new Left(successor == other ? successor : null, Math.max(untilNanos, nanos));
    }
  }

  private final Rules rules;
  private final KnownCounters known;
  private final Map<Rule, Integer> users = new HashMap<>();
  private final Map<Rule, Left> left = new HashMap<>();

  RuleUse(Rules rules, KnownCounters known) {
    this.rules = rules;
    this.known = known;
  }

  void begin(Grant grant) {
    known.add(grant);
    for (int i = 0; i < grant.size(); i++) {
      users.merge(grant.rule(i), 1, Integer::sum);
    }
  }

  boolean isUsedOnce(Rule rule) {
    return users.getOrDefault(rule, 0) == 1;
  }

  /** Says that keys have left one grant for another, and not for good: others may still have it. */
  void leave(@Nullable Grant from, Grant to, long nowNanos) {
    for (int i = 0; from != null && i < from.size(); i++) {
      Rule rule = from.rule(i);
      Rule next = to.withCounter(from.counter(i));
      if (rule.isShared() && !rule.isGiven() && next != null && next != rule) {
        long until = nowNanos + idleAfter(rule.limit()) + idleAfter(next.limit());
        Left before = left.get(rule);
        left.put(rule, before == null ? new Left(next, until) : before.and(next, until));
      }
    }
  }

  /** How long a state under a limit may last that took no more than fits. */
  private static long idleAfter(Limit limit) {
    return Math.max(limit.periodNanos(), limit.isConcurrent() ? 0 : limit.capacityNanos());
  }

  /** Says that nobody has a grant any more, and which one its keys went to together, if any. */
  void end(Grant grant, @Nullable Grant to, long nowNanos) {
    for (int i = 0; i < grant.size(); i++) {
      Rule rule = grant.rule(i);
      if (users.merge(rule, -1, Integer::sum) <= 0) {
        users.remove(rule);
        end(rule, to == null ? null : to.withCounter(grant.counter(i)), nowNanos);
      }
    }
    endLeft(nowNanos);
  }

  private void end(Rule rule, @Nullable Rule next, long nowNanos) {
    Left states = left.get(rule);
    if (states != null && states.successor == null && states.untilNanos > nowNanos) {
      return;
    }
    left.remove(rule);
    if (rule.isShared()) {
      rules.unshare(rule, states == null ? null : states.successor, nowNanos);
    } else if (!rule.hasEnd()) {
      rule.endsAt(nowNanos, next);
    }
  }

  /** Ends the rules that only idle states were under. */
  private void endLeft(long nowNanos) {
    for (Iterator<Map.Entry<Rule, Left>> each = left.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Rule, Left> entry = each.next();
      if (entry.getValue().untilNanos <= nowNanos) {
        each.remove();
        if (!users.containsKey(entry.getKey())) {
          rules.unshare(entry.getKey(), entry.getValue().successor, nowNanos);
        }
      }
    }
  }
}
