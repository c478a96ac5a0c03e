package io.penstock.server.fields;

import io.penstock.core.Limit;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * What header fields tell about an answer: {@code RateLimit-Policy} and {@code RateLimit} as
 * structured fields, {@code X-RateLimit-*} and {@code Retry-After} as plain numbers. Stateless.
 */
public final class RateLimitFields {
  public static final String POLICY = "RateLimit-Policy";
  public static final String STATE = "RateLimit";
  public static final String RETRY_AFTER = "Retry-After";

  /**
   * What is told where no waiting helps. A client that is told nothing tries again at once; one
   * that comes back in a day costs nothing, and by then the policy may be another one.
   */
  private static final long NEVER_SECONDS = 86_400;

  private static final long SECOND_NANOS = 1_000_000_000;

  /** Structured fields know no greater integer. */
  private static final long INTEGER_MAX = 999_999_999_999_999L;

  private RateLimitFields() {}

  /** Whether a limit has been counted: else an answer carries none of the fields about limits. */
  public static boolean areDue(Answer answer) {
    return !answer.part().meters().isEmpty();
  }

  /** {@code "api/user";q=100;w=1}: one item per limit of the policy that decides. */
  public static String policy(Answer answer) {
    Part part = answer.part();
    StringBuilder text = new StringBuilder(64);
    for (int i = 0; i < part.meters().size(); i++) {
      Limit limit = part.meters().get(i).limit();
      name(text, part, i);
      if (limit.isConcurrent()) {
        text.append(";q=").append(bounded(limit.count()));
      } else {
        long seconds = Whole.seconds(limit.periodNanos());
        text.append(";q=").append(quota(limit, seconds)).append(";w=").append(bounded(seconds));
      }
    }
    return text.toString();
  }

  /** {@code "request";q=0;w=60}: a request limited itself to nothing, which no limit can say. */
  public static String policyOfNothing(Answer answer) {
    StringBuilder text = new StringBuilder(64);
    name(text, answer.part(), /* index= */ 0);
    long seconds = Whole.seconds(answer.part().meters().get(0).limit().periodNanos());
    return text.append(";q=0;w=").append(bounded(seconds)).toString();
  }

  /** {@code "request";r=0;t=40}: nothing is left, and the next window has nothing either. */
  public static String stateOfNothing(Answer answer) {
    StringBuilder text = new StringBuilder(64);
    name(text, answer.part(), /* index= */ 0);
    long seconds = Whole.seconds(answer.part().meters().get(0).moreAfterNanos());
    return text.append(";r=0;t=").append(bounded(seconds)).toString();
  }

  /** {@code "api/user";r=99;t=1}: what is left of each, and in how many seconds there is more. */
  public static String state(Answer answer) {
    Part part = answer.part();
    StringBuilder text = new StringBuilder(64);
    for (int i = 0; i < part.meters().size(); i++) {
      Meter meter = part.meters().get(i);
      name(text, part, i);
      text.append(";r=").append(bounded(meter.remaining()));
      text.append(";t=").append(bounded(Whole.seconds(meter.moreAfterNanos())));
    }
    return text.toString();
  }

  /** The names of the limits that denied. */
  public static List<String> violated(Answer answer) {
    Part part = answer.part();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < part.meters().size(); i++) {
      if (part.meters().get(i).denied()) {
        names.add(LimitName.of(part, i));
      }
    }
    return names;
  }

  /**
   * Whole seconds after which a denied check may be tried again: never too early, never 0; a day if
   * no waiting helps.
   */
  public static long retryAfterSeconds(Answer answer) {
    long nanos = answer.retryAfterNanos();
    return nanos == Long.MAX_VALUE ? NEVER_SECONDS : Math.max(1, Whole.seconds(nanos));
  }

  /** Whole seconds until the deciding limit is full again. */
  public static long resetSeconds(Answer answer) {
    return bounded(Whole.secondsUntilFull(answer.resetAfterNanos(), answer.limit()));
  }

  private static void name(StringBuilder text, Part part, int index) {
    text.append(index == 0 ? "\"" : ", \"");
    String name = LimitName.of(part, index);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    text.append('"');
  }

  /** What passes in so many whole seconds, rounded down: the count, if the period is whole. */
  private static long quota(Limit limit, long seconds) {
    long windowNanos = seconds * SECOND_NANOS;
    if (windowNanos == limit.periodNanos()) {
      return bounded(limit.count());
    }
    long high = Math.multiplyHigh(limit.count(), windowNanos);
    long product = limit.count() * windowNanos;
    return high != 0 || product < 0 ? INTEGER_MAX : bounded(product / limit.periodNanos());
  }

  private static long bounded(long value) {
    return Math.min(value, INTEGER_MAX);
  }
}
