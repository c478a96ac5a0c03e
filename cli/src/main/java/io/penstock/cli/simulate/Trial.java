package io.penstock.cli.simulate;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one algorithm made of the traffic. Immutable.
 *
 * @param policy what it was run with
 * @param asked how many requests came
 * @param admitted what it let through, at the instant it may run
 * @param denied what it denied, at the instant it came
 * @param deniedRequests how many requests it denied
 * @param longestDenial the longest time it denied everything
 * @param waits how long admitted requests had to wait
 */
record Trial(
    Policy policy,
    long asked,
    Flow admitted,
    Flow denied,
    long deniedRequests,
    Denial longestDenial,
    Waits waits) {

  /** How long admitted requests waited. Immutable. */
  record Waits(double meanNanos, long maxNanos) {}

  private static final String KEY = "simulated";

  /** Nothing of it is taken but what the one key needs, which may be a log of millions. */
  private static final long MEMORY_MAX = 1L << 30;

  /** Asks a limiter on a virtual clock, in the order of the arrivals. */
  static Trial run(Policy policy, List<Arrival> arrivals, long startNanos) {
    VirtualClock clock = new VirtualClock(startNanos);
    Limiter limiter = Limiter.builder().policy(policy).clock(clock).maxBytes(MEMORY_MAX).build();
    List<Arrival> admitted = new ArrayList<>();
    List<Arrival> denied = new ArrayList<>();
    Denial longest = Denial.NONE;
    Denial current = Denial.NONE;
    double waitSum = 0;
    long waitMax = 0;
    for (Arrival arrival : arrivals) {
      clock.set(startNanos + arrival.atNanos());
      Decision decision = limiter.tryAcquire(KEY, arrival.cost());
      checkDecided(decision, policy);
      if (decision.allowed()) {
        long wait = decision.waitNanos();
        admitted.add(new Arrival(arrival.atNanos() + wait, arrival.cost()));
        waitSum += wait;
        waitMax = Math.max(waitMax, wait);
        current = Denial.NONE;
      } else {
        denied.add(arrival);
        current = current.plus(arrival.atNanos());
        longest = Denial.longer(longest, current);
      }
    }
    return new Trial(
        policy,
        arrivals.size(),
        Flow.of(admitted),
        Flow.of(denied),
        denied.size(),
        longest,
        new Waits(admitted.isEmpty() ? 0 : waitSum / admitted.size(), waitMax));
  }

  /** A limiter without memory answers by fail mode; that says nothing about its algorithm. */
  private static void checkDecided(Decision decision, Policy policy) {
    if (decision.reason() == Reason.FAIL_OPEN || decision.reason() == Reason.FAIL_CLOSED) {
      throw new IllegalStateException(
          policy.algorithm().name() + ": " + policy + " (expected: limits that fit into memory)");
    }
  }

  Algorithm algorithm() {
    return policy.algorithm();
  }

  String name() {
    return algorithm().name();
  }

  /** Whether this algorithm makes admitted requests wait. */
  boolean isQueue() {
    return algorithm() == Algorithm.LEAKY_QUEUE;
  }

  long admittedRequests() {
    return asked - deniedRequests;
  }

  double deniedShare() {
    return asked == 0 ? 0 : (double) deniedRequests / asked;
  }

  /** The most it let through in any window as long as the period of the limit. */
  Peak peak(Limit limit) {
    return admitted.peak(limit.periodNanos());
  }

  double ratio(Limit limit) {
    return peak(limit).ratio(limit.count());
  }

  /** The limit whose count it exceeded most, or came closest to. */
  Limit tightest() {
    return policy.limits().stream().max(Comparator.comparingDouble(this::ratio)).orElseThrow();
  }

  /** The most it let through in any tenth of the first limit's period. */
  Peak tenthPeak() {
    return admitted.peak(tenthNanos());
  }

  long tenthNanos() {
    return policy.limits().get(0).periodNanos() / 10;
  }
}
