package io.penstock.core.laws;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit that changes again and again lets go of what was used when it would have anyway. */
class DrainLawTest {
  /** Tuesday, 10 March 2026, 12:30 UTC, and a prime number of nanoseconds. */
  private static final long START = 1_773_145_800_000_001_009L;

  private static final int CHANGES = 1_000;
  private static final long STEP = 150_000_000;

  static Stream<Arguments> courses() {
    return Algorithm.all().stream().flatMap(DrainLawTest::coursesOf);
  }

  private static Stream<Arguments> coursesOf(Algorithm algorithm) {
    boolean held = algorithm == Algorithm.CONCURRENCY;
    String form = held ? "%d concurrent lease %dms" : "%d/%dms";
    Stream<Arguments> all =
        Stream.of(
            course(algorithm, "period down", i -> form.formatted(1_000, 60_000 - i)),
            course(algorithm, "period far down", i -> form.formatted(1_000, 60_000 - 50 * i)),
            course(algorithm, "period up", i -> form.formatted(1_000, 60_000 + i)),
            course(algorithm, "to and fro", i -> form.formatted(1_000, 60_000 - i % 2)),
            course(algorithm, "far to and fro", i -> form.formatted(1_000, 60_000 - i % 2 * 9_000)),
            course(algorithm, "count up", i -> form.formatted(1_000 + i, 60_000)),
            course(algorithm, "count down", i -> form.formatted(1_000 - i / 2, 60_000)));
    boolean bucket = !held && !Shapes.isWindow(algorithm);
    return bucket
        ? Stream.concat(
            all, Stream.of(course(algorithm, "burst", i -> "1000/min burst " + (1_000 + i))))
        : all;
  }

  private static Arguments course(Algorithm algorithm, String name, IntFunction<String> limits) {
    return Arguments.of(algorithm.name(), name, limits);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("courses")
  void change_aThousandTimes_drainsNoLaterThanTheSlowestAndNoEarlierThanTheFastest(
      String name, String course, IntFunction<String> limits) {
    Algorithm algorithm = Algorithm.named(name);
    Limit limit = Limit.parse(limits.apply(0));
    PureKey key = new PureKey(algorithm, limit);
    assertThat(key.take(START, limit.capacity()).allowed()).isTrue();
    long slowest = lifeNanos(limit, algorithm);
    long shortest = lifeNanos(limit, Algorithm.GCRA);
    for (int i = 1; i <= CHANGES; i++) {
      long passed = i * STEP;
      limit = Limit.parse(limits.apply(i));
      key.change(START + passed, algorithm, limit);
      slowest = Math.max(slowest, lifeNanos(limit, algorithm));
      shortest = Math.min(shortest, lifeNanos(limit, Algorithm.GCRA));
      long left = key.ask(START + passed, 0).remaining();
      if (passed >= slowest + CHANGES) {
        assertThat(left).as("after %d changes", i).isEqualTo(limit.capacity());
      } else if (algorithm != Algorithm.FIXED_WINDOW) {
        long freed = passed * 1_000 / shortest + 2;
        assertThat(left).isLessThanOrEqualTo(Math.max(0, limit.capacity() - 1_000) + freed);
      }
    }
    assertThat(CHANGES * STEP).isGreaterThan(slowest + CHANGES);
  }

  /** Who takes all that comes back, while the period goes to and fro, gets about the rate. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1_000})
  void change_everyFewMillisecondsWhileAllIsTaken_keepsTheRateOfASlidingCounter(int millis) {
    Limit[] limits = {Limit.parse("10/min"), Limit.parse("10/61s")};
    PureKey key = new PureKey(Algorithm.SLIDING_WINDOW_COUNTER, limits[0]);
    long admitted = 0;
    for (long at = 0, i = 1; at < 20 * 60_000; at += millis, i++) {
      long now = START + at * 1_000_000;
      key.change(now, key.algorithm(), limits[(int) (i % 2)]);
      while (key.take(now, 1).allowed()) {
        admitted++;
      }
    }
    /* 200 at the rate; a unit more may be late by a change and be rounded up at each. */
    assertThat(admitted).isBetween(150L, 210L);
  }

  /** How long a thousand units count; a counter needs the rest of this window and the next. */
  private static long lifeNanos(Limit limit, Algorithm algorithm) {
    if (Shapes.isWindow(algorithm) || limit.isConcurrent()) {
      return limit.periodNanos() * (algorithm == Algorithm.SLIDING_WINDOW_COUNTER ? 2 : 1);
    }
    return limit.periodNanos() * 1_000 / limit.count();
  }
}
