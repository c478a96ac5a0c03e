package io.penstock.core;

import io.penstock.core.algorithm.Concurrency;
import io.penstock.core.algorithm.LeakyQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is allowed: one or several limits, all of which must have room, and how they are counted.
 * Immutable.
 *
 * <p>A limit with a time zone is a calendar window and a {@code concurrent} limit a bound on what
 * is held, whatever the algorithm of the policy.
 *
 * @param limits at least one; no two with the same period, and no two {@code concurrent} ones
 * @param algorithm how rates are counted
 * @param failMode the answer when the limiter cannot decide
 */
public record Policy(List<Limit> limits, Algorithm algorithm, FailMode failMode) {
  private static final int LIMITS_MAX = 16;

  public Policy {
    limits = copy(Checks.given("limits", limits, "1.." + LIMITS_MAX + " limits"));
    Checks.given("algorithm", algorithm, "an algorithm");
    Checks.given("failMode", failMode, "a fail mode");
    Checks.between("limits", limits.size(), 1, LIMITS_MAX);
    for (int i = 0; i < limits.size(); i++) {
      check(i, limits, algorithm);
    }
  }

  /**
   * Reads limits separated by semicolons, {@code 10/s burst 20; 10000/day Europe/Paris}, with or
   * without white space around each.
   */
  public static Policy parse(String text) {
    List<Limit> limits = new ArrayList<>();
    for (String limit : Checks.given("text", text, "limits, as 100/s; 5000/day").split(";", -1)) {
      limits.add(Limit.parse(limit.strip()));
    }
    return new Policy(limits, Algorithm.GCRA, FailMode.OPEN);
  }

  /** A policy of these limits, counted by GCRA. */
  public static Policy of(Limit... limits) {
    Checks.given("limits", limits, "1.." + LIMITS_MAX + " limits");
    return new Policy(Arrays.asList(limits), Algorithm.GCRA, FailMode.OPEN);
  }

  /** List.copyOf would not say which one is missing. */
  private static List<Limit> copy(List<Limit> limits) {
    for (int i = 0; i < limits.size(); i++) {
      Checks.given("limits[" + i + "]", limits.get(i), "a limit");
    }
    return List.copyOf(limits);
  }

  /** This policy counted by another algorithm. */
  public Policy withAlgorithm(Algorithm algorithm) {
    return new Policy(limits, algorithm, failMode);
  }

  /** This policy with another answer when the limiter cannot decide. */
  public Policy withFailMode(FailMode failMode) {
    return new Policy(limits, algorithm, failMode);
  }

  /** The algorithm that counts one of the limits. */
  public Algorithm algorithmOf(Limit limit) {
    return algorithmOf(Checks.given("limit", limit, "a limit"), algorithm);
  }

  /** The limits as {@link #parse} reads them. */
  @Override
  public String toString() {
    return limits.stream().map(Limit::toString).collect(Collectors.joining("; "));
  }

  private static Algorithm algorithmOf(Limit limit, Algorithm algorithm) {
    if (limit.isConcurrent()) {
      return Algorithm.CONCURRENCY;
    }
    return limit.zone() == null ? algorithm : Algorithm.FIXED_WINDOW;
  }

  private static void check(int index, List<Limit> limits, Algorithm policyAlgorithm) {
    Limit limit = limits.get(index);
    String name = "limits[" + index + "]";
    Algorithm algorithm = algorithmOf(limit, policyAlgorithm);
    if (limit.hasBurst() && isWindow(algorithm)) {
      throw Checks.bad(name, limit, "no burst with " + algorithm.name());
    }
    if (algorithm == Algorithm.CONCURRENCY && !limit.isConcurrent()) {
      throw Checks.bad(name, limit, "COUNT concurrent lease PERIOD with concurrency");
    }
    if (limit.isConcurrent() && limit.count() > Concurrency.countMax()) {
      throw Checks.bad(name, limit, "at most " + Concurrency.countMax() + " concurrent");
    }
    if (algorithm == Algorithm.LEAKY_QUEUE && limit.capacity() > LeakyQueue.waitingMax(limit)) {
      throw Checks.bad(name, limit, "burst + 1 units within 73 years with leaky-queue");
    }
    for (int i = 0; i < index; i++) {
      Limit other = limits.get(i);
      if (other.isConcurrent() && limit.isConcurrent()) {
        throw Checks.bad(name, limit, "one concurrent limit");
      }
      if (other.periodNanos() == limit.periodNanos()
          && other.isConcurrent() == limit.isConcurrent()) {
        throw Checks.bad(name, limit, "another period than limits[" + i + "]: " + other);
      }
    }
  }

  private static boolean isWindow(Algorithm algorithm) {
    return algorithm == Algorithm.FIXED_WINDOW
        || algorithm == Algorithm.SLIDING_WINDOW_LOG
        || algorithm == Algorithm.SLIDING_WINDOW_COUNTER;
  }
}
