package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.StateTable;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Answers checks that nobody decides, by the fail modes of their policies. Thread-safe. */
public final class FailModes {
  /** What this node may remember of keys that it decides alone. */
  private static final long LOCAL_BYTES_MAX = 64L << 20;

  private final String name;
  private final Clock clock;
  private final StateTable alone = StateTable.of(new Rules(), LOCAL_BYTES_MAX);
  private final Decider decider;

  /**
   * The fail modes of policies.
   *
   * @param name of this node, which answers
   */
  public FailModes(String name, PolicyDesk policies) {
    this.name = name;
    this.clock = policies.clock();
    this.decider =
        new Decider(policies.book(), policies.keys(), new KeyOrders(), alone, hash -> true);
  }

  /** What this node knows of a check that others may decide. */
  public Outline outline(CheckRequest request) {
    List<Subject> subjects = decider.subjects(request, clock.nanos());
    List<Long> keys = new ArrayList<>(subjects.size());
    boolean strict = false;
    int budgetMillis = 0;
    for (Subject subject : subjects) {
      keys.add(subject.hash());
      strict |= subject.isStrict();
      budgetMillis = Math.max(budgetMillis, budgetMillis(subject));
    }
    return new Outline(strict, Duration.ofMillis(budgetMillis), keys);
  }

  private static int budgetMillis(Subject subject) {
    Grant grant = subject.grant();
    boolean isGiven = subject.asked().given() != null;
    return grant == null || isGiven ? Terms.BUDGET_MILLIS : grant.terms().budgetMillis();
  }

  /** The answer where the owner gave none. */
  public Answer answer(CheckRequest request) {
    long nowNanos = clock.nanos();
    List<Subject> subjects = decider.subjects(request, nowNanos);
    boolean denied = false;
    for (Subject subject : subjects) {
      denied |= isClosed(subject) || subject.isDenied(nowNanos);
    }
    Together turns = new Together().onlyLooks(denied);
    List<Part> parts = new ArrayList<>(subjects.size());
    int[] from = new int[subjects.size() + 1];
    for (int i = 0; i < subjects.size(); i++) {
      if (isLocal(subjects.get(i))) {
        addTurns(subjects.get(i), turns, nowNanos);
      }
      from[i + 1] = turns.size();
    }
    /* Rules that come with a request are never replaced, so this is played at once. */
    boolean played = turns.size() == 0 || turns.isPlayed();
    boolean allowed = played && !denied;
    for (int i = 0; i < subjects.size(); i++) {
      parts.add(part(subjects.get(i), turns, from[i], from[i + 1]));
      allowed &= parts.get(i).allowed();
    }
    long wait = 0;
    for (int i = 0; i < turns.size() && allowed; i++) {
      wait = Math.max(wait, turns.turn(i).step().waitNanos());
    }
    int deciding = Decider.deciding(parts);
    return new Answer(allowed, deciding, parts, wait, Durability.NONE, name, false);
  }

  private static boolean isClosed(Subject subject) {
    return subject.isCounted() && !subject.failsOpen() && subject.failMode() == FailMode.CLOSED;
  }

  private static boolean isLocal(Subject subject) {
    return subject.isCounted() && !subject.failsOpen() && subject.failMode() == FailMode.LOCAL;
  }

  /** Below its cap, or below the limits of the policy if it has none, this node decides alone. */
  private void addTurns(Subject subject, Together turns, long nowNanos) {
    Grant grant = subject.grant();
    if (grant == null) {
      return;
    }
    Limit cap = grant.terms().localCap();
    if (cap != null) {
      add(subject, turns, GivenRules.COUNTER, GivenRules.bucket(cap), nowNanos);
      return;
    }
    Policy policy = grant.terms().policy();
    for (int i = 0; policy != null && i < grant.size(); i++) {
      Limit limit = grant.rule(i).limit();
      Rule rule = Rules.given(limit, policy.algorithmOf(limit));
      add(subject, turns, grant.counter(i), rule, nowNanos);
    }
  }

  private void add(Subject subject, Together turns, int counter, Rule rule, long nowNanos) {
    turns
        .add(alone)
        .of(KeyHash.slot(subject.hash(), counter), rule, nowNanos)
        .failsOpen(false)
        .asks(subject.asked().cost());
  }

  private static Part part(Subject subject, Together turns, int from, int to) {
    if (!subject.isCounted()) {
      return subject.uncounted();
    }
    if (!isLocal(subject)) {
      return subject.undecided();
    }
    List<Meter> meters = new ArrayList<>();
    boolean allowed = true;
    int deciding = 0;
    for (int i = from; i < to; i++) {
      Turn turn = turns.turn(i);
      meters.add(Meter.of(turn));
      allowed &= turn.step().allowed() && !turn.isFull();
      deciding = meters.get(i - from).isAhead(meters.get(deciding)) ? i - from : deciding;
    }
    return subject.part(allowed, Why.FAIL_LOCAL, meters, deciding);
  }
}
