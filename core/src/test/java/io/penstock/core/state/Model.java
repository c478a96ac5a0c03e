package io.penstock.core.state;

import io.penstock.core.Algorithm;
import io.penstock.core.Log;
import io.penstock.core.Step;
import io.penstock.core.algorithm.Concurrency;
import io.penstock.core.state.Turn.Ask;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What a table must be equal to: the same algorithms, but every state an object, none ever
 * forgotten, and all converted at the very instant a rule changes. Not thread-safe.
 */
final class Model {
  private static final Log.Space HEAP =
      (log, entries) -> {
        log.moveTo(LongBuffer.allocate(2 * entries), 0, entries);
        return true;
      };

  /** The words of a state, and time and amount of each entry of its log. */
  private static final class State {
    static final State EMPTY = new State(new Step());

    final long until;
    final long x;
    final long y;
    final long[] entries;

    State(Step step) {
      until = step.until;
      x = step.x;
      y = step.y;
      entries = entries(step.log());
    }

    Step load(long now) {
      Step step = new Step();
      step.until = until;
      step.x = x;
      step.y = y;
      step.log().attach(LongBuffer.wrap(entries.clone()), 0, entries.length / 2);
      step.log().contents(0, entries.length / 2);
      if (until <= now) {
        step.clear();
      }
      return step;
    }
  }

  private final Map<Long, State> states = new HashMap<>();
  private Rule rule;

  Model(Rule rule) {
    this.rule = rule;
  }

  private static long[] entries(Log log) {
    long[] entries = new long[2 * log.size()];
    for (int i = 0; i < log.size(); i++) {
      entries[2 * i] = log.time(i);
      entries[2 * i + 1] = log.amount(i);
    }
    return entries;
  }

  /** What a key must be answered; nothing is kept yet. */
  Step play(long key, Ask ask, long now, long cost, long ticket) {
    Step step = states.getOrDefault(key, State.EMPTY).load(now);
    Algorithm algorithm = rule.algorithm();
    switch (ask) {
      case TAKE, CHARGE -> step.forced(ask == Ask.CHARGE);
      case GIVE_BACK -> algorithm.giveBack(step, rule.limit(), now, cost, ticket);
      case RENEW -> renew(step, now, ticket);
      case RESET, RESTORE -> step.clear();
    }
    boolean takes = ask == Ask.TAKE || ask == Ask.CHARGE;
    algorithm.decide(step, rule.limit(), now, takes ? cost : 0);
    return step;
  }

  private void renew(Step step, long now, long ticket) {
    if (rule.algorithm() == Algorithm.CONCURRENCY) {
      Concurrency.renew(step, rule.limit(), now, ticket);
    }
  }

  void keep(long key, Step step) {
    step.log().reserve(HEAP);
    step.log().settle();
    states.put(key, new State(step));
  }

  /** From now on another rule holds for all keys. */
  void change(Rule next, long now) {
    for (long key : states.keySet().toArray(new Long[0])) {
      Step step = states.getOrDefault(key, State.EMPTY).load(now);
      if (step.until > now
          && next.algorithm() == rule.algorithm()
          && !next.limit().equals(rule.limit())) {
        rule.algorithm().change(step, rule.limit(), next.limit(), now);
      } else if (step.until > now && next.algorithm() != rule.algorithm()) {
        rule.algorithm().used(step, rule.limit(), now);
        step.clear();
        next.algorithm().carry(step, next.limit(), now);
      }
      keep(key, step);
    }
    rule = next;
  }

  boolean isLive(long key, long now) {
    return states.getOrDefault(key, State.EMPTY).until > now;
  }

  Iterable<Long> keys() {
    return states.keySet();
  }

  /** The state of a key; equal texts are equal states. */
  String text(long key) {
    return text(states.getOrDefault(key, State.EMPTY));
  }

  /** The state a step holds. */
  String text(Step step) {
    return text(new State(step));
  }

  /** The third word of a state with a log is the table's own. */
  private String text(State state) {
    String words = state.until + " " + state.x + " " + (rule.kind() == Slots.LOG ? 0 : state.y);
    return words + " " + Arrays.toString(state.entries);
  }
}
