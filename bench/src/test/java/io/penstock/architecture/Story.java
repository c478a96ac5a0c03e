package io.penstock.architecture;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import io.penstock.core.Reservation;
import io.penstock.testkit.ManualClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What happens to one key, as a document tells it, played on the library. Not thread-safe.
 *
 * <p>The first line is an algorithm and limits. Each other line is a time since the start, what is
 * done, and what is answered, with two spaces or more between them:
 *
 * <pre>
 * gcra 10/s burst 30
 * 0s     take 30    allowed, 0 left, full after 3s
 * 0s     take 1     denied, retry after 100ms
 * </pre>
 */
final class Story {
  /** Noon on a Tuesday, UTC: the start of an hour and of a minute, the middle of longer windows. */
  private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

  private static final String KEY = "key";
  private static final Pattern FENCED = Pattern.compile("(?ms)^```story\n(.*?)^```$");
  private static final Pattern LINE = Pattern.compile("(\\S+)  +(\\S.*?)  +(\\S.*)");
  private static final Pattern TIME_PART = Pattern.compile("([\\d.]+)(ms|min|s|h|d)");

  private final ManualClock clock = new ManualClock(START);
  private final Limiter limiter;
  private @Nullable Reservation reservation;

  private Story(String policy) {
    this.limiter = Limiter.builder().policy(policy(policy)).clock(clock).build();
  }

  /** The stories in a document. */
  static List<String> of(String text) {
    return FENCED.matcher(text).results().map(block -> block.group(1)).toList();
  }

  /** The lines that did not happen as told, each with what did. */
  static List<String> problems(String text) {
    List<String> lines = text.lines().toList();
    Story story = new Story(lines.get(0));
    List<String> problems = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        problems.add(line + " (expected: time, what is done, what is answered)");
        continue;
      }
      story.clock.set(START.plus(time(parts.group(1))));
      Decision decision = story.happens(parts.group(2).split(" ", 2));
      for (String told : parts.group(3).split(", ", -1)) {
        if (!isTrue(told, decision)) {
          problems.add("%s: %s: %s, but %s".formatted(lines.get(0), line, told, decision));
        }
      }
    }
    return problems;
  }

  private static Policy policy(String text) {
    String[] words = text.split(" ", 2);
    return Policy.parse(words[1]).withAlgorithm(Algorithm.named(words[0]));
  }

  private Decision happens(String[] words) {
    return switch (words[0]) {
      case "take" -> limiter.tryAcquire(KEY, Long.parseLong(words[1]));
      case "refund" -> limiter.refund(KEY, Long.parseLong(words[1]));
      case "reserve" -> reserve(Long.parseLong(words[1])).decision();
      case "commit" -> seenAfter(() -> reserved().commit(Long.parseLong(words[1])));
      case "cancel" -> seenAfter(() -> reserved().cancel());
      case "change" -> seenAfter(() -> limiter.update(policy(words[1])));
      case "peek" -> limiter.peek(KEY);
      default ->
          throw new IllegalArgumentException(
              words[0] + " (expected: take, refund, reserve, commit, cancel, change or peek)");
    };
  }

  private Decision seenAfter(Runnable act) {
    act.run();
    return limiter.peek(KEY);
  }

  private Reservation reserve(long cost) {
    Reservation taken = limiter.reserve(KEY, cost);
    reservation = taken;
    return taken;
  }

  private Reservation reserved() {
    if (reservation == null) {
      throw new IllegalStateException("nothing is reserved");
    }
    return reservation;
  }

  private static boolean isTrue(String told, Decision decision) {
    String last = told.substring(told.lastIndexOf(' ') + 1);
    if (told.endsWith(" left")) {
      return decision.remaining() == Long.parseLong(told.substring(0, told.indexOf(' ')));
    }
    if (told.startsWith("retry after ")) {
      return decision.retryAfter().equals(time(last));
    }
    if (told.startsWith("full after ")) {
      return decision.resetAfter().equals(time(last));
    }
    if (told.startsWith("runs after ")) {
      return decision.waitTime().equals(time(last));
    }
    return switch (told) {
      case "allowed" -> decision.reason() == Reason.OK;
      case "denied" -> decision.reason() == Reason.LIMITED;
      case "never" -> decision.reason() == Reason.NEVER;
      default -> throw new IllegalArgumentException(told + " (expected: an answer)");
    };
  }

  /** {@code 100ms}, {@code 1.5s}, {@code 11h30min}. */
  private static Duration time(String text) {
    Duration sum = Duration.ZERO;
    Matcher part = TIME_PART.matcher(text);
    while (part.find()) {
      long nanosPerUnit =
          switch (part.group(2)) {
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "min" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 86_400_000_000_000L;
          };
      BigDecimal nanos = new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(nanosPerUnit));
      sum = sum.plusNanos(nanos.longValueExact());
    }
    return sum;
  }
}
