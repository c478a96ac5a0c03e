package io.penstock.testkit.example;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/** N in a row, then a pause: after the last one a whole period must pass without any. Immutable. */
public final class Cooldown implements Algorithm {
  @Override
  public String name() {
    return "cooldown";
  }

  /** The state is the end of the pause (until) and how many came since the last one (x). */
  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    long left = Math.max(0, limit.capacity() - step.x);
    long pause = step.x > 0 ? step.until - nowNanos : 0;
    if (cost > limit.capacity() && !step.forced()) {
      step.denyForever(left, pause);
    } else if (cost > left && !step.forced()) {
      step.deny(left, pause, pause);
    } else if (cost == 0) {
      step.allow(left, pause);
    } else {
      step.x += cost;
      step.until = nowNanos + limit.periodNanos();
      step.allow(Math.max(0, left - cost), limit.periodNanos());
    }
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    step.used(step.x, 0, 1);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    step.x = step.usedCeil();
    step.until = step.x > 0 ? nowNanos + limit.periodNanos() : 0;
  }
}
