package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

/** The worked examples of the texts this project started from, replayed number by number. */
class SeedExamplesTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T12:00:00Z"));

  private Transcript under(String limit, Algorithm algorithm) {
    Policy policy = Policy.parse(limit).withAlgorithm(algorithm);
    return new Transcript(Limiter.builder().policy(policy).clock(clock).build(), clock);
  }

  private static long time(String clockTime) {
    return Duration.between(LocalTime.NOON, LocalTime.parse(clockTime)).toMillis();
  }

  @Test
  void slidingLog_fiveIn60Seconds_rejectsAt120110AndAllowsAt120120() {
    Transcript log = under("5/60s", Algorithm.SLIDING_WINDOW_LOG);
    log.at(time("12:00:15")).take(1).allowed();
    log.at(time("12:00:25")).take(1).allowed();
    log.at(time("12:00:40")).take(1).allowed();
    log.at(time("12:00:55")).take(1).allowed();
    log.at(time("12:01:05")).take(1).allowed().left(0);
    log.at(time("12:01:10")).take(1).denied("5s").left(0);
    log.at(time("12:01:20")).take(1).allowed().left(0);
    log.at(time("12:01:20")).take(1).denied("5s");
  }

  /** 84 * 0.75 + 36 = 99 < 100. */
  @Test
  void slidingCounter_84BeforeAnd36NowAtAQuarter_allowsTheHundredth() {
    Transcript counter = under("100/min", Algorithm.SLIDING_WINDOW_COUNTER);
    counter.at(time("12:00:30")).take(84).allowed().left(16);
    counter.at(time("12:01:15")).peek().left(37);
    counter.at(time("12:01:15")).take(36).allowed().left(1);
    counter.at(time("12:01:15")).take(1).allowed().left(0);
    assertThat(counter.at(time("12:01:15")).take(1).isAllowed()).isFalse();
  }

  /** 70 in the last half of one window and 100 in the first half of the next: 170 in a minute. */
  @Test
  void fixedWindow_burstAtTheBoundary_lets170PassIn60Seconds() {
    Transcript window = under("100/min", Algorithm.FIXED_WINDOW);
    window.at(time("12:00:30")).take(70).allowed().left(30);
    window.at(time("12:01:00")).take(100).allowed().left(0);
    window.at(time("12:01:29")).take(1).denied("31s");
  }

  @Test
  void fixedWindow_threeWindows_rejectsOnlyInTheFullOne() {
    Transcript window = under("100/min", Algorithm.FIXED_WINDOW);
    window.at(time("12:00:59")).take(87).allowed().left(13);
    window.at(time("12:01:59")).take(100).allowed();
    window.at(time("12:01:59")).take(1).denied("1s");
    window.at(time("12:02:00")).take(45).allowed().left(55);
  }

  @Test
  void tokenBucket_tenPerSecond_followsTheTrace() {
    Transcript bucket = under("10/s", Algorithm.TOKEN_BUCKET);
    bucket.at(0).take(1).allowed().left(9);
    bucket.at(100).peek().left(10);
    bucket.at(100).take(1).allowed().left(9);
    bucket.at(150).take(1).allowed().left(8).fullAfter("150ms");
    for (int request = 4; request <= 11; request++) {
      bucket.at(160).take(1).allowed().left(11 - request);
    }
    bucket.at(160).take(1).denied("40ms").left(0);
    bucket.at(500).take(1).allowed().left(3);
  }
}
