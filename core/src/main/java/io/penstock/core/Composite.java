package io.penstock.core;

import io.penstock.core.state.Together;
import java.util.ArrayList;
import java.util.List;

/** One decision over several keys, each under its own limiter. Confined to one thread. */
final class Composite {
  /** A key of one of the limiters, and the time there. */
  private record Part(Engine engine, long hash, long cost, long nowNanos) {}

  private final List<Part> parts = new ArrayList<>();
  private final List<Plan> plans = new ArrayList<>();

  void add(Engine engine, long hash, long cost, long nowNanos) {
    for (Part other : parts) {
      boolean sameKey = other.engine == engine && other.hash == hash;
      if (sameKey && Long.signum(cost) * Long.signum(other.cost) < 0) {
        /* The answer would depend on which comes first, and all are decided at one instant. */
        String expected = other.cost > 0 ? ">= 0" : "<= 0";
        throw Checks.bad("cost", cost, expected + ", as the same key is asked " + other.cost);
      }
    }
    parts.add(new Part(engine, hash, cost, nowNanos));
  }

  /** Takes from all keys or from none; a blocked key makes all of them only look. */
  Decision decide() {
    long[] nowNanos = new long[parts.size()];
    long[] blockedNanos = new long[parts.size()];
    boolean blocked = false;
    for (int p = 0; p < nowNanos.length; p++) {
      Part part = parts.get(p);
      nowNanos[p] = part.nowNanos;
      blockedNanos[p] = part.engine.plans().blockedNanos(part.hash, part.nowNanos);
      blocked |= blockedNanos[p] > 0;
    }
    Together turns = Player.turns().onlyLooks(blocked);
    addTurns(turns, nowNanos);
    while (!turns.isPlayed()) {
      passOutdated(turns, nowNanos);
      turns.again();
      addTurns(turns, nowNanos);
    }
    return Answers.of(answers(turns, blockedNanos));
  }

  private void addTurns(Together turns, long[] nowNanos) {
    plans.clear();
    for (int p = 0; p < nowNanos.length; p++) {
      Part part = parts.get(p);
      Plan plan = part.engine.plans().of(part.hash, nowNanos[p]);
      plans.add(plan);
      for (int i = 0; i < plan.size(); i++) {
        part.engine.player().addTurn(plan, i, part.hash, nowNanos[p], turns).asks(part.cost);
      }
    }
  }

  /**
   * Every limiter has its own time, so that of a rule which has ended concerns its limiter only.
   */
  private void passOutdated(Together turns, long[] nowNanos) {
    int turn = 0;
    for (int p = 0; p < nowNanos.length; p++) {
      for (int i = 0; i < plans.get(p).size(); i++) {
        nowNanos[p] = turns.turn(turn++).passOutdated(nowNanos[p]);
      }
    }
  }

  private List<Decision> answers(Together turns, long[] blockedNanos) {
    List<Decision> answers = new ArrayList<>();
    int from = 0;
    for (int p = 0; p < blockedNanos.length; p++) {
      Part part = parts.get(p);
      Decision played = Answers.of(plans.get(p), turns, from);
      Decision otherwise = part.engine.past(played, part.hash, part.nowNanos, part.cost);
      Decision answer =
          blockedNanos[p] > 0 ? Answers.blocked(otherwise, blockedNanos[p]) : otherwise;
      if (answer.reason() == Reason.FAIL_OPEN || answer.reason() == Reason.FAIL_CLOSED) {
        part.engine.player().countRefused();
      }
      answers.add(answer);
      from += plans.get(p).size();
    }
    return answers;
  }
}
