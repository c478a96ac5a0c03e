package io.penstock.core.laws;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;
import java.nio.LongBuffer;

/**
 * One key decided by the pure functions, its state kept as a store would: words and ring are loaded
 * before each step, and written back only if the step is kept. Not thread-safe.
 */
public final class PureKey {
  private static final Log.Space SPACE =
      (log, entries) -> {
        log.moveTo(LongBuffer.allocate(4 * entries), 0, 2 * entries);
        return true;
      };

  private final Step step = new Step();
  private Algorithm algorithm;
  private Limit limit;
  private long until;
  private long x;
  private long y;

  public PureKey(Algorithm algorithm, Limit limit) {
    this.algorithm = algorithm;
    this.limit = limit;
  }

  /** A key in the same state, on its own from now on. */
  public PureKey copy() {
    PureKey copy = new PureKey(algorithm, limit);
    for (int i = 0; i < step.log().size(); i++) {
      copy.step.log().append(step.log().time(i), step.log().amount(i));
    }
    copy.step.until = until;
    copy.step.x = x;
    copy.step.y = y;
    copy.keepIf(true);
    return copy;
  }

  /** The first word of the state. */
  long until() {
    return until;
  }

  public Algorithm algorithm() {
    return algorithm;
  }

  public Limit limit() {
    return limit;
  }

  /** Takes the cost if it fits; the answer is in the step. */
  public Step take(long now, long cost) {
    load(now);
    algorithm.decide(step, limit, now, cost);
    keepIf(step.allowed());
    return step;
  }

  /** Decides, and leaves the state as it was. */
  public Step ask(long now, long cost) {
    load(now);
    algorithm.decide(step, limit, now, cost);
    keepIf(false);
    return step;
  }

  /** Takes the cost whether it fits or not. */
  public Step charge(long now, long cost) {
    step.forced(true);
    take(now, cost);
    step.forced(false);
    return step;
  }

  /** Gives back; ticket 0 means what was taken just now. */
  public void giveBack(long now, long cost, long ticket) {
    load(now);
    algorithm.giveBack(step, limit, now, cost, ticket);
    keepIf(true);
  }

  /** Goes on under another algorithm or limit. */
  public void change(long now, Algorithm toAlgorithm, Limit to) {
    load(now);
    if (toAlgorithm == algorithm) {
      algorithm.change(step, limit, to, now);
    } else {
      algorithm.used(step, limit, now);
      step.clear();
      toAlgorithm.carry(step, to, now);
    }
    algorithm = toAlgorithm;
    limit = to;
    keepIf(true);
  }

  /** The words and the log, as text: equal for equal states. */
  public String state() {
    StringBuilder text = new StringBuilder().append(until).append(' ').append(x);
    text.append(' ').append(y);
    for (int i = 0; i < step.log().size(); i++) {
      text.append(" (").append(step.log().time(i)).append(' ');
      text.append(step.log().amount(i)).append(')');
    }
    return text.toString();
  }

  private void load(long now) {
    step.until = until;
    step.x = x;
    step.y = y;
    if (until <= now) {
      step.clear();
    }
  }

  private void keepIf(boolean kept) {
    if (!kept) {
      step.log().forget();
      return;
    }
    step.log().reserve(SPACE);
    step.log().settle();
    until = step.until;
    x = step.x;
    y = algorithm.shape(limit) == Algorithm.Shape.LOG ? 0 : step.y;
    if (algorithm.shape(limit) == Algorithm.Shape.ONE_WORD) {
      x = 0;
      y = 0;
    }
  }
}
