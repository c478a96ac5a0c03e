package io.penstock.core;

import io.penstock.core.state.Together;
import io.penstock.core.state.Turn.Ask;
import java.util.ArrayList;
import java.util.List;

/** One decision over several keys, each under its own limiter. Confined to one thread. */
final class Composite {
  private final List<Check> checks;
  private final List<Plan> plans = new ArrayList<>();
  private final long nowNanos;

  Composite(List<Check> checks, long nowNanos) {
    this.checks = checks;
    this.nowNanos = nowNanos;
  }

  /** Takes from all keys or from none; a blocked key makes all of them only look. */
  Decision decide() {
    boolean blocked = false;
    for (Check check : checks) {
      blocked |= blockedNanos(check) > 0;
    }
    Together turns = Engine.turns().onlyLooks(blocked);
    long now = nowNanos;
    do {
      now = turns.again(now);
      addTurns(turns, now);
    } while (!turns.isPlayed());
    return Answers.of(parts(turns));
  }

  private void addTurns(Together turns, long now) {
    plans.clear();
    for (Check check : checks) {
      Plan plan = check.engine().planOf(check.hash(), now);
      plans.add(plan);
      for (int i = 0; i < plan.size(); i++) {
        check
            .engine()
            .addTurn(plan, i, check.hash(), now, turns)
            .asks(Ask.TAKE, check.cost(), /* ticket= */ 0);
      }
    }
  }

  private List<Decision> parts(Together turns) {
    List<Decision> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < checks.size(); i++) {
      Check check = checks.get(i);
      long blockedNanos = blockedNanos(check);
      Decision otherwise = Answers.of(plans.get(i), turns, from);
      Decision part = blockedNanos > 0 ? Answers.blocked(otherwise, blockedNanos) : otherwise;
      if (part.reason() == Reason.FAIL_OPEN || part.reason() == Reason.FAIL_CLOSED) {
        check.engine().countRefused();
      }
      parts.add(part);
      from += plans.get(i).size();
    }
    return parts;
  }

  private long blockedNanos(Check check) {
    return check.engine().blockedNanos(check.hash(), nowNanos);
  }
}
