package io.penstock.core;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The answer to a check. Immutable. A denied check is an answer like any other, never an exception.
 *
 * @param allowed whether the caller may go on
 * @param reason why
 * @param remaining what is left after this check, unchanged by a denial; 0 if the key is blocked or
 *     the limiter could not decide
 * @param retryAfterNanos how long to wait until the same check is allowed: 0 when it is allowed,
 *     {@link #NEVER} when waiting does not help
 * @param resetAfterNanos how long until the limit that decided is full again
 * @param waitNanos how long the caller must wait before it runs ({@code leaky-queue}), else 0
 * @param limit the limit that decided: denied, the one with the longest wait; allowed, the one with
 *     the least left
 * @param policyVersion the version of the policy the limit belongs to; for an overridden key, that
 *     of the general policy when the override was made
 * @param parts for a check over several keys, one decision for each in order; else empty
 */
public record Decision(
    boolean allowed,
    Reason reason,
    long remaining,
    long retryAfterNanos,
    long resetAfterNanos,
    long waitNanos,
    Limit limit,
    long policyVersion,
    List<Decision> parts) {

  /** The wait of a check that will never be allowed. */
  public static final long NEVER = Long.MAX_VALUE;

  public Decision {
    Checks.given("reason", reason, "a reason");
    Checks.given("limit", limit, "a limit");
    Checks.given("parts", parts, "decisions, or none");
    /* One question on the way of every decision, and only then which it is. */
    if ((remaining | retryAfterNanos | resetAfterNanos | waitNanos | policyVersion) < 0) {
      Checks.atLeast("remaining", remaining, 0);
      Checks.atLeast("retryAfterNanos", retryAfterNanos, 0);
      Checks.atLeast("resetAfterNanos", resetAfterNanos, 0);
      Checks.atLeast("waitNanos", waitNanos, 0);
      Checks.atLeast("policyVersion", policyVersion, 0);
    }
  }

  /** How long to wait until the same check is allowed; {@link ChronoUnit#FOREVER} for never. */
  public Duration retryAfter() {
    return retryAfterNanos == NEVER
        ? ChronoUnit.FOREVER.getDuration()
        : Duration.ofNanos(retryAfterNanos);
  }

  /** How long until the limit that decided is full again. */
  public Duration resetAfter() {
    return Duration.ofNanos(resetAfterNanos);
  }

  /** How long the caller must wait before it runs; zero for every algorithm but the queue. */
  public Duration waitTime() {
    return Duration.ofNanos(waitNanos);
  }

  /** What fits at once under the limit that decided. */
  public long capacity() {
    return limit.capacity();
  }
}
