package io.penstock.cli.simulate;

import java.util.Random;
import java.util.function.LongConsumer;

/** How requests are spread over a stretch of time. Implementations are immutable. */
sealed interface Shape {
  /** How many requests come within that length, on average. */
  double requests(long lengthNanos);

  /** Says when each request comes, counted from the start of the stretch; never decreasing. */
  void arrive(long lengthNanos, Random random, LongConsumer atNanos);

  /** Nobody comes. */
  record Idle() implements Shape {
    @Override
    public double requests(long lengthNanos) {
      return 0;
    }

    @Override
    public void arrive(long lengthNanos, Random random, LongConsumer atNanos) {}
  }

  /** One after the other at equal distance, the first at once. */
  record Steady(Rate rate) implements Shape {
    @Override
    public double requests(long lengthNanos) {
      return rate.perNano() * lengthNanos;
    }

    @Override
    public void arrive(long lengthNanos, Random random, LongConsumer atNanos) {
      for (long n = 0; rate.dueNanos(n) < lengthNanos; n++) {
        atNanos.accept(rate.dueNanos(n));
      }
    }
  }

  /** Independent of one another, as many users together are: exponential gaps. */
  record Poisson(Rate rate) implements Shape {
    @Override
    public double requests(long lengthNanos) {
      return rate.perNano() * lengthNanos;
    }

    @Override
    public void arrive(long lengthNanos, Random random, LongConsumer atNanos) {
      double at = gap(random);
      while (at < lengthNanos) {
        atNanos.accept((long) at);
        at += gap(random);
      }
    }

    private double gap(Random random) {
      // StrictMath: the same seed gives the same traffic on every machine.
      return -StrictMath.log(1 - random.nextDouble()) / rate.perNano();
    }
  }

  /** Evenly spaced at a rate that changes from one to the other. */
  record Ramp(Rate from, Rate to) implements Shape {
    @Override
    public double requests(long lengthNanos) {
      return (from.perNano() + to.perNano()) / 2 * lengthNanos;
    }

    /*
     * After t, r0 t + a t^2 / 2 requests have come, a = (r1 - r0) / length. That is n at
     * t = 2 n / (r0 + sqrt(r0^2 + 2 a n)), the form of the root that survives a = 0.
     */
    @Override
    public void arrive(long lengthNanos, Random random, LongConsumer atNanos) {
      double r0 = from.perNano();
      double a = (to.perNano() - r0) / lengthNanos;
      double all = requests(lengthNanos);
      for (long n = 0; n < all; n++) {
        double root = Math.sqrt(Math.max(0, r0 * r0 + 2 * a * n));
        atNanos.accept(n == 0 ? 0 : Math.round(2 * n / (r0 + root)));
      }
    }
  }

  /** Many at the same instant, once or again and again. */
  record Burst(long count, long atNanos, long everyNanos) implements Shape {
    static final long ONCE = Long.MAX_VALUE;

    @Override
    public double requests(long lengthNanos) {
      return everyNanos == ONCE ? count : Math.ceil((double) lengthNanos / everyNanos) * count;
    }

    @Override
    public void arrive(long lengthNanos, Random random, LongConsumer consumer) {
      long at = atNanos;
      do {
        for (long n = 0; n < count; n++) {
          consumer.accept(at);
        }
        at = everyNanos == ONCE ? Long.MAX_VALUE : at + everyNanos;
      } while (at < lengthNanos);
    }
  }
}
