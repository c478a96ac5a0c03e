package io.penstock.core;

import io.penstock.core.algorithm.Wide;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import java.util.List;

/** Makes decisions out of turns: which limit decided, and what is told about it. */
final class Answers {
  private Answers() {}

  /** The answer of one key: of its turns from an index on, one per rule of its plan. */
  static Decision of(Plan plan, Together turns, int from) {
    if (turns.isUnknown(from, from + plan.size())) {
      Reason reason = plan.failsOpen() ? Reason.FAIL_OPEN : Reason.FAIL_CLOSED;
      return plain(plan, plan.failsOpen(), reason, /* waitNanos= */ 0);
    }
    Turn turn = turns.turn(deciding(plan, turns, from));
    Step step = turn.step();
    Reason reason = step.allowed() ? Reason.OK : step.never() ? Reason.NEVER : Reason.LIMITED;
    return new Decision(
        step.allowed(),
        reason,
        step.remaining(),
        waitNanos(step),
        step.resetAfterNanos(),
        longestWait(plan, turns, from),
        turn.rule().limit(),
        plan.version(),
        List.of());
  }

  /** How long a step says to wait until it is allowed. */
  static long waitNanos(Step step) {
    return step.never() ? Decision.NEVER : step.retryAfterNanos();
  }

  /** Whoever has a place in several queues runs when the last of them says so. */
  private static long longestWait(Plan plan, Together turns, int from) {
    long wait = 0;
    for (int i = from; i < from + plan.size(); i++) {
      wait = Math.max(wait, turns.turn(i).step().waitNanos());
    }
    return wait;
  }

  /** The index of the turn that decides, of those from an index on, one per rule of the plan. */
  static int deciding(Plan plan, Together turns, int from) {
    int deciding = from;
    for (int i = from + 1; i < from + plan.size(); i++) {
      if (isAhead(turns.turn(i), turns.turn(deciding))) {
        deciding = i;
      }
    }
    return deciding;
  }

  /** The answer of {@link io.penstock.core.state.ShortWay}. */
  static Decision taken(Plan plan, long nowNanos, long cost, long taken) {
    Limit limit = plan.rule(0).limit();
    boolean allowed = taken >= 0;
    long debt = debt(limit, nowNanos, cost, taken);
    return new Decision(
        allowed,
        allowed ? Reason.OK : Reason.LIMITED,
        left(limit, debt),
        allowed ? 0 : -taken,
        debt,
        /* waitNanos= */ 0,
        limit,
        plan.version(),
        List.of());
  }

  /** What is left after a take, of which {@code taken} says the next tat or minus the wait. */
  static long left(Limit limit, long nowNanos, long cost, long taken) {
    return left(limit, debt(limit, nowNanos, cost, taken));
  }

  /* A wait w means that the debt and the cost together are w above the capacity, or much more. */
  private static long debt(Limit limit, long nowNanos, long cost, long taken) {
    return taken >= 0
        ? taken - nowNanos
        : Math.min(limit.capacityNanos() - taken - cost * limit.unitNumerator(), Wide.MAX);
  }

  private static long left(Limit limit, long debt) {
    return Math.max(0, limit.capacityNanos() - debt) / limit.unitNumerator();
  }

  /** Whether a turn decides rather than another: one that is known, and there what is tighter. */
  private static boolean isAhead(Turn a, Turn b) {
    return a.isFull() == b.isFull() ? isTighter(a.step(), b.step()) : b.isFull();
  }

  /** Whether a step is a denial and the other is not, the longer wait, or has less left. */
  private static boolean isTighter(Step a, Step b) {
    if (a.allowed() != b.allowed()) {
      return b.allowed();
    }
    if (a.allowed()) {
      return a.remaining() < b.remaining();
    }
    return a.never() != b.never() ? a.never() : a.retryAfterNanos() > b.retryAfterNanos();
  }

  /** The answer to a blocked key: it must wait for the block, and for what its limits say then. */
  static Decision blocked(Decision then, long blockedNanos) {
    return new Decision(
        /* allowed= */ false,
        Reason.BLOCKED,
        /* remaining= */ 0,
        Wide.add(blockedNanos, then.retryAfterNanos()),
        Wide.add(blockedNanos, then.resetAfterNanos()),
        /* waitNanos= */ 0,
        then.limit(),
        then.policyVersion(),
        List.of());
  }

  /** A decision of which what comes after a while is told by another one, made for then. */
  static Decision continued(Decision decision, Decision then, long whileNanos) {
    boolean never = !then.allowed() && then.retryAfterNanos() == Decision.NEVER;
    long retry = Wide.add(whileNanos, then.retryAfterNanos());
    boolean later = decision.retryAfterNanos() >= whileNanos;
    boolean resetsLater = decision.resetAfterNanos() >= whileNanos;
    return new Decision(
        decision.allowed(),
        later ? (never ? Reason.NEVER : Reason.LIMITED) : decision.reason(),
        decision.remaining(),
        later ? retry : decision.retryAfterNanos(),
        resetsLater ? Wide.add(whileNanos, then.resetAfterNanos()) : decision.resetAfterNanos(),
        decision.waitNanos(),
        decision.limit(),
        decision.policyVersion(),
        List.of());
  }

  /** A denial that lasts longer. */
  static Decision later(Decision denied, long retryAfterNanos) {
    return new Decision(
        /* allowed= */ false,
        retryAfterNanos == Decision.NEVER ? Reason.NEVER : denied.reason(),
        denied.remaining(),
        retryAfterNanos,
        denied.resetAfterNanos(),
        /* waitNanos= */ 0,
        denied.limit(),
        denied.policyVersion(),
        denied.parts());
  }

  private static Decision plain(Plan plan, boolean allowed, Reason reason, long waitNanos) {
    Limit limit = plan.rule(0).limit();
    return new Decision(
        allowed, reason, 0, waitNanos, waitNanos, 0, limit, plan.version(), List.of());
  }

  /** The answer for several keys: that of the part that decides, with all parts. */
  static Decision of(List<Decision> parts) {
    Decision deciding = parts.get(0);
    long wait = 0;
    for (Decision part : parts) {
      wait = Math.max(wait, part.waitNanos());
      boolean ahead =
          part.allowed() != deciding.allowed()
              ? deciding.allowed()
              : part.allowed()
                  ? part.remaining() < deciding.remaining()
                  : part.retryAfterNanos() > deciding.retryAfterNanos();
      deciding = ahead ? part : deciding;
    }
    return new Decision(
        deciding.allowed(),
        deciding.reason(),
        deciding.remaining(),
        deciding.retryAfterNanos(),
        deciding.resetAfterNanos(),
        wait,
        deciding.limit(),
        deciding.policyVersion(),
        List.copyOf(parts));
  }
}
