package io.penstock.core;

import io.penstock.core.algorithm.Wide;
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
    Decision decision = pastOverrides(Answers.of(answers(turns, blockedNanos)));
    for (Part part : parts) {
      part.engine.wakeIfGivenBack(part.hash, part.cost);
    }
    return decision;
  }

  /*
   * A key may be under its policy again by the time that the others have room, whatever it says
   * now. One override may end only in the time that another adds: so it goes round until none adds
   * any, or as often as there are keys.
   */
  /** The same decision, with a wait after which every key has room under what holds for it then. */
  private Decision pastOverrides(Decision decision) {
    long told = decision.retryAfterNanos();
    long wait = told;
    long before = 0;
    for (int round = 0; round < parts.size() && wait != before; round++) {
      before = wait;
      for (int p = 0; p < parts.size(); p++) {
        wait = Wide.add(wait, moreAfter(wait, p));
      }
    }
    return wait == told ? decision : Answers.later(decision, wait);
  }

  /** How much longer a key must wait that is under its policy again after a wait. */
  private long moreAfter(long wait, int index) {
    Part part = parts.get(index);
    long end = part.engine.plans().overrideEnd(part.hash, part.nowNanos);
    boolean over = wait > 0 && wait != Decision.NEVER && end - part.nowNanos <= wait;
    long then = Wide.add(part.nowNanos, wait);
    return over ? part.engine.player().waitNanos(part.hash, then, costOfKey(index)) : 0;
  }

  /** One key has one plan and one time, however often it is asked. */
  private void addTurns(Together turns, long[] nowNanos) {
    plans.clear();
    for (int p = 0; p < nowNanos.length; p++) {
      Part part = parts.get(p);
      int first = firstOfKey(p);
      Plan plan = first < p ? plans.get(first) : part.engine.plans().of(part.hash, nowNanos[p]);
      plans.add(plan);
      for (int i = 0; i < plan.size(); i++) {
        part.engine.player().addTurn(plan, i, part.hash, nowNanos[p], turns).asks(part.cost);
      }
    }
  }

  private int firstOfKey(int index) {
    int first = 0;
    while (!isSameKey(first, index)) {
      first++;
    }
    return first;
  }

  private boolean isSameKey(int a, int b) {
    return parts.get(a).engine == parts.get(b).engine && parts.get(a).hash == parts.get(b).hash;
  }

  /**
   * Every limiter has its own time, so that of a rule which has ended concerns its limiter only.
   */
  private void passOutdated(Together turns, long[] nowNanos) {
    int turn = 0;
    for (int p = 0; p < nowNanos.length; p++) {
      for (int i = 0; i < plans.get(p).size(); i++) {
        long later = turns.turn(turn++).passOutdated(nowNanos[p]);
        for (int q = 0; q < nowNanos.length; q++) {
          boolean same = parts.get(q).engine == parts.get(p).engine;
          nowNanos[q] = same ? Math.max(nowNanos[q], later) : nowNanos[q];
        }
      }
    }
  }

  private List<Decision> answers(Together turns, long[] blockedNanos) {
    List<Decision> answers = new ArrayList<>();
    int from = 0;
    for (int p = 0; p < blockedNanos.length; p++) {
      Part part = parts.get(p);
      Decision played = Answers.of(plans.get(p), turns, from);
      long cost = costOfKey(p);
      Decision answer =
          blockedNanos[p] > 0
              ? part.engine.blocked(
                  part.hash, part.nowNanos, cost, Player.moreTurns().onlyLooks(true))
              : part.engine.past(played, part.hash, part.nowNanos, cost);
      if (answer.reason() == Reason.FAIL_OPEN || answer.reason() == Reason.FAIL_CLOSED) {
        part.engine.player().countRefused();
      }
      answers.add(answer);
      from += plans.get(p).size();
    }
    return answers;
  }

  /** What all parts of one key ask for together. */
  private long costOfKey(int index) {
    long cost = 0;
    for (int p = 0; p < parts.size(); p++) {
      cost = isSameKey(p, index) ? Wide.add(cost, Math.max(0, parts.get(p).cost)) : cost;
    }
    return cost;
  }
}
