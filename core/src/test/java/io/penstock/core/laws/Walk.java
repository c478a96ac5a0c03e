package io.penstock.core.laws;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.algorithm.Arrears;
import io.penstock.core.algorithm.Gcra;
import java.util.SplittableRandom;

/** One key and the checks that come to it, all drawn from a seed. Not thread-safe. */
final class Walk {
  private final SplittableRandom random;
  private final Course course;
  private final PureKey key;
  private long remaining;
  private long cost;

  Walk(String algorithm, long seed) {
    this.random = new SplittableRandom(seed);
    this.course = new Course(random);
    Limit limit = Shapes.any(random, Algorithm.named(algorithm));
    this.key = new PureKey(Algorithm.named(algorithm), limit);
    this.remaining = limit.capacity();
  }

  PureKey key() {
    return key;
  }

  Limit limit() {
    return key.limit();
  }

  SplittableRandom random() {
    return random;
  }

  /** The time and cost of the check that comes next: {@link #now} and {@link #cost}. */
  void next() {
    course.next(key.limit());
    cost = course.cost(key.limit(), remaining);
  }

  long now() {
    return course.now();
  }

  long cost() {
    return cost;
  }

  /** The check that was drawn is decided. */
  Step take() {
    Step step = key.take(now(), cost);
    remaining = step.remaining();
    if (!step.allowed() && !step.never()) {
      course.denied(step.retryAfterNanos());
    }
    return step;
  }

  /** Whether the key owes more than 73 years: what stands still does not come back (Arrears). */
  boolean isInArrears() {
    boolean isDebt = key.algorithm() instanceof Gcra || key.algorithm() == Algorithm.LEAKY_QUEUE;
    return isDebt && Arrears.is(key.until());
  }

  /** Now and then something else happens: a charge, a refund, a change of the limit. */
  void disturb() {
    switch (random.nextInt(20)) {
      case 0 -> key.charge(now(), Shapes.upTo(random, limit().capacity()));
      case 1 -> key.giveBack(now(), Shapes.upTo(random, limit().capacity()), /* ticket= */ 0);
      case 2 -> change(key.algorithm());
      case 3 -> change(Shapes.pick(random, Algorithm.all()));
      default -> {}
    }
  }

  private void change(Algorithm algorithm) {
    key.change(now(), algorithm, Shapes.any(random, algorithm));
  }

  @Override
  public String toString() {
    return "%s with %s at %d take %d, state %s"
        .formatted(limit(), key.algorithm().name(), now(), cost, key.state());
  }
}
