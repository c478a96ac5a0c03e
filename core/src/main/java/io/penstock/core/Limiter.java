package io.penstock.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A place where limits are kept and checks are decided. Thread-safe.
 *
 * <pre>{@code
 * Limiter limiter = Limiter.of("100/s burst 200");
 * if (limiter.isAllowed("user:42")) {
 *   serve();
 * }
 * }</pre>
 *
 * <p>A denied check changes nothing. A policy with several limits takes from all of them or from
 * none.
 *
 * <p>A cost means the same wherever one is given: a positive one takes, 0 only looks, and a
 * negative one gives back, never more than the key has used. Looking and giving back are always
 * allowed, unless the key is blocked.
 */
public interface Limiter {
  /** A limiter in memory for limits in their text form, counted by GCRA on the system clock. */
  static MemoryLimiter of(String policy) {
    return of(Policy.parse(policy));
  }

  /** A limiter in memory on the system clock. */
  static MemoryLimiter of(Policy policy) {
    return builder().policy(policy).build();
  }

  /** Chooses the parts of a limiter in memory. */
  static LimiterBuilder builder() {
    return new LimiterBuilder();
  }

  /**
   * Takes from several keys, each under its own limiter, or from none. The answer names the limit
   * that decided, and {@link Decision#parts} what each key said.
   *
   * <p>All are decided at one reading of the clock. Limiters with different clocks can be decided
   * together: each at the time of its own.
   *
   * @throws IllegalArgumentException if the limiter of the first check cannot decide for the others
   *     ({@link #tryAcquireTogether}); those in memory decide for each other
   */
  static Decision tryAcquireAll(Check... checks) {
    Checks.together(Arrays.asList(Checks.given("checks", checks, "one or more")));
    return checks[0].limiter().tryAcquireTogether(List.of(checks));
  }

  /**
   * Takes one unit if it fits. Under {@code leaky-queue} it does not say when the caller may run:
   * {@link Decision#waitTime} does, and {@link #acquire} waits.
   */
  default boolean isAllowed(String key) {
    return tryAcquire(key, 1).allowed();
  }

  /** Takes one unit if it fits. */
  default Decision tryAcquire(String key) {
    return tryAcquire(key, 1);
  }

  /** Takes {@code cost} units if they fit. */
  Decision tryAcquire(String key, long cost);

  /** Says what is left, and takes nothing. */
  default Decision peek(String key) {
    return tryAcquire(key, 0);
  }

  /**
   * Gives back {@code cost} units, never more than the key has used, whoever used them: a check
   * that was denied took none, so what is refunded for it is what others took. Of a queue the last
   * places are given back, as far as their time has not come.
   */
  default Decision refund(String key, long cost) {
    return tryAcquire(key, -Checks.atLeast("cost", cost, 1));
  }

  /**
   * Takes {@code cost} units, waiting for them at most {@code timeout}: until they fit, or until
   * somebody makes room for them at this limiter, as by a refund, a reset or another policy.
   * Answers a denial at once when a rate has no room in time. A slot that is held and a block may
   * end at any moment, and are waited for until the timeout. Nobody is promised to be let in before
   * those who came later.
   *
   * <p>Whoever must give back what was waited for, as a slot of a {@code concurrent} limit, takes
   * {@link #reserve(String, long, Duration)}.
   */
  default Decision acquire(String key, long cost, Duration timeout) throws InterruptedException {
    return reserve(key, cost, timeout).decision();
  }

  /**
   * As {@link #acquire}, without holding a thread. Ending the future in any way, as by cancelling
   * it or by a timeout, gives up the wait and frees a place in a queue.
   */
  CompletionStage<Decision> tryAcquireAsync(String key, long cost, Duration timeout);

  /**
   * Takes an estimate now, to be settled by {@link Reservation#commit} when the real cost is known;
   * closing it uncommitted gives the estimate back. On a {@code concurrent} limit this holds a slot
   * until it is closed or its lease ends. A negative cost gives back at once and estimates 0.
   */
  Reservation reserve(String key, long cost);

  /**
   * As {@link #reserve(String, long)}, waiting at most {@code timeout} until the estimate fits or,
   * in a queue, until the caller may run. A wait that is interrupted, also before it begins, or
   * that fails, takes nothing and leaves its place.
   */
  Reservation reserve(String key, long cost, Duration timeout) throws InterruptedException;

  /**
   * One part of a {@link #tryAcquireAll}. A limiter that wraps another may return a check of the
   * one it wraps, which then decides.
   */
  default Check check(String key, long cost) {
    return new Check(this, key, cost);
  }

  /**
   * Decides for {@link #tryAcquireAll}, which asks the limiter of the first check. A limiter that
   * does not implement this decides one check of its own.
   *
   * @throws IllegalArgumentException that names a limiter which cannot be decided with this one
   */
  default Decision tryAcquireTogether(List<Check> checks) {
    Checks.together(checks);
    for (Check check : checks) {
      if (checks.size() > 1 || check.limiter() != this) {
        throw Checks.bad("limiter", this, "one that decides several checks together");
      }
    }
    Check check = checks.get(0);
    return Answers.of(List.of(tryAcquire(check.key(), check.cost())));
  }

  /** Forgets what the key has used. */
  void reset(String key);

  /** Denies every check of the key until an instant; one in the past ends a block. */
  void block(String key, Instant until);

  /** Puts the key under another policy until an instant; one in the past ends it. */
  void override(String key, Policy policy, Instant until);

  /**
   * Replaces the policy, for keys already in use too: what was used stays used, in units. The
   * algorithm is that of the new policy, {@code gcra} if {@link Policy#withAlgorithm} says no
   * other.
   */
  void update(Policy policy);

  /** The policy in force. */
  Policy policy();

  /** How often the policy has been replaced, plus one. */
  long policyVersion();
}
