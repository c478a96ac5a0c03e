package io.penstock.core;

import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import java.util.List;

/** Makes decisions out of turns: which limit decided, and what is told about it. */
final class Answers {
  private Answers() {}

  /** The answer of one key: of its turns from an index on, one per rule of its plan. */
  static Decision of(Plan plan, Together turns, int from) {
    int deciding = from;
    boolean full = false;
    for (int i = from; i < from + plan.size(); i++) {
      full |= turns.turn(i).isFull();
      if (isAhead(turns.turn(i).step(), turns.turn(deciding).step())) {
        deciding = i;
      }
    }
    if (full) {
      Reason reason = plan.failsOpen() ? Reason.FAIL_OPEN : Reason.FAIL_CLOSED;
      return plain(plan, plan.failsOpen(), reason, /* waitNanos= */ 0);
    }
    Turn turn = turns.turn(deciding);
    Step step = turn.step();
    Reason reason = step.allowed() ? Reason.OK : step.never() ? Reason.NEVER : Reason.LIMITED;
    return new Decision(
        step.allowed(),
        reason,
        step.remaining(),
        step.never() ? Decision.NEVER : step.retryAfterNanos(),
        step.resetAfterNanos(),
        step.waitNanos(),
        turn.rule().limit(),
        plan.version(),
        List.of());
  }

  /** Whether a step decides rather than another: a denial, the longer wait, the less left. */
  private static boolean isAhead(Step a, Step b) {
    if (a.allowed() != b.allowed()) {
      return b.allowed();
    }
    if (a.allowed()) {
      return a.remaining() < b.remaining();
    }
    return a.never() != b.never() ? a.never() : a.retryAfterNanos() > b.retryAfterNanos();
  }

  static Decision blocked(Plan plan, long waitNanos) {
    return plain(plan, /* allowed= */ false, Reason.BLOCKED, waitNanos);
  }

  private static Decision plain(Plan plan, boolean allowed, Reason reason, long waitNanos) {
    Limit limit = plan.rule(0).limit();
    return new Decision(
        allowed, reason, 0, waitNanos, waitNanos, 0, limit, plan.version(), List.of());
  }

  /** The answer for several keys: that of the part that decides, with all parts. */
  static Decision of(List<Decision> parts) {
    Decision deciding = parts.get(0);
    for (Decision part : parts) {
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
        deciding.waitNanos(),
        deciding.limit(),
        deciding.policyVersion(),
        List.copyOf(parts));
  }
}
