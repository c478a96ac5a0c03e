package io.penstock.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When there is more: at the instant that is told, and not a nanosecond before. */
class MeterTest {
  private static final int ROUNDS = 400;

  private final Bench bench = new Bench();

  private void policy(String algorithm, String limit) {
    bench.policy(
        "api/user", "{\"limits\":[\"" + limit + "\"],\"algorithm\":\"" + algorithm + "\"}");
  }

  private static Meter meter(Answer answer) {
    return requireNonNull(answer.part().meter());
  }

  private Meter look() {
    return meter(bench.check(0, "user", "42"));
  }

  private void moreComesWhenItIsTold() {
    Meter now = look();
    String told = now.toString();
    bench.clock.advanceNanos(now.moreAfterNanos() - 1);
    assertThat(look().remaining()).as("before: %s", told).isEqualTo(now.remaining());
    bench.clock.advanceNanos(1);
    assertThat(look().remaining()).as(told).isGreaterThan(now.remaining());
  }

  @ParameterizedTest
  @CsvSource({
    "gcra, 5/8s, 3/20s",
    "token-bucket, 5/8s burst 9, 2/8s",
    "leaky-bucket, 700000/ms burst 9, 300000/ms burst 5",
    "leaky-queue, 1/s burst 5, 1/2s burst 2",
    "fixed-window, 5/8s, 3/20s",
    "sliding-window-log, 5/8s, 3/5s",
    "sliding-window-counter, 5/8s, 3/5s",
    "gcra, 5 concurrent lease 8s, 2 concurrent lease 3s"
  })
  void more_whateverHappens_comesWhenItIsTold(String algorithm, String limit, String lower) {
    Random random = new Random(1);
    List<String> reserved = new ArrayList<>();
    policy(algorithm, limit);
    long period = look().limit().periodNanos();
    int told = 0;
    for (int i = 0; i < ROUNDS; i++) {
      bench.clock.advanceNanos((long) (random.nextDouble() * period / 4));
      Answer taken = bench.check(random.nextInt(3), "user", "42");
      if (taken.allowed()) {
        assertThat(meter(taken).moreAfterNanos()).isEqualTo(look().moreAfterNanos());
      }
      bench.clock.advanceNanos((long) (random.nextDouble() * period / 4));
      if (look().remaining() >= 2) {
        reserved.add(bench.reserve(2, "user", "42"));
      }
      if (reserved.size() > 1) {
        bench.cancel(reserved.remove(random.nextInt(2)));
      }
      policy(algorithm, random.nextInt(4) == 0 ? lower : limit);
      if (random.nextBoolean() && look().remaining() < look().limit().capacity()) {
        moreComesWhenItIsTold();
        told++;
      }
    }
    assertThat(told).isGreaterThan(ROUNDS / 8);
  }

  @Test
  void more_ofALog_comesWhenTheOldestIsGone() {
    policy("sliding-window-log", "5/8s");
    bench.check(1, "user", "42");
    bench.clock.advance(Duration.ofSeconds(5));
    assertThat(meter(bench.check(1, "user", "42")).moreAfterNanos())
        .isEqualTo(Duration.ofSeconds(3).toNanos());
    assertThat(meter(bench.check(9, "user", "42")).moreAfterNanos())
        .as("never admitted")
        .isEqualTo(Duration.ofSeconds(3).toNanos());
  }

  @Test
  void more_ofAFullKey_isNeverMoreExceptInANewWindow() {
    policy("gcra", "5/8s");
    assertThat(look().moreAfterNanos()).isZero();
    policy("fixed-window", "5/8s");
    assertThat(look().moreAfterNanos()).isPositive();
  }
}
