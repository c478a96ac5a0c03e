package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reservations that are settled after something has happened to their key: what still counts is
 * given back, and never what others have used.
 */
class SettlingTest {
  private static final String TEN_A_DAY = "{\"limits\":[\"10/day\"]}";
  private static final String FAST = "{\"limits\":[\"1000/s\"]}";

  private final Bench bench = new Bench();

  private static boolean isHeld(Algorithm algorithm) {
    return algorithm == Algorithm.CONCURRENCY;
  }

  private static String perDay(long count, Algorithm algorithm) {
    return count + (isHeld(algorithm) ? " concurrent lease day" : "/day");
  }

  private static String document(String limit, Algorithm algorithm) {
    return "{\"limits\":[\"" + limit + "\"],\"algorithm\":\"" + algorithm.name() + "\"}";
  }

  private static Bench halfPastEight() {
    Bench bench = new Bench();
    bench.clock.advance(Duration.ofMinutes(8 * 60 + 30));
    return bench;
  }

  @Test
  void cancel_throughAnOverrideAndItsEnd_givesBackWhatStillCounts() {
    for (Algorithm algorithm : Algorithm.all()) {
      Bench each = halfPastEight();
      each.policy("api/user", document(perDay(10, algorithm), algorithm));
      String before = each.reserve(4, "user", "42");
      each.override(perDay(20, algorithm), Duration.ofSeconds(1), "user", "42");
      String within = each.reserve(6, "user", "42");
      each.cancel(before);
      long running = algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0;
      assertThat(each.check(0, "user", "42").remaining())
          .as(algorithm.name())
          .isEqualTo(14 + running);
      each.clock.advance(Duration.ofSeconds(1));
      each.cancel(within);
      assertThat(each.check(0, "user", "42").remaining()).as(algorithm.name()).isEqualTo(10);
    }
  }

  @Test
  void cancel_ofWhatAnOverrideHasLetDrain_givesNothingBack() {
    for (Algorithm algorithm : Algorithm.all()) {
      if (!isHeld(algorithm)) {
        Bench each = halfPastEight();
        each.policy("api/user", document(perDay(10, algorithm), algorithm));
        String id = each.reserve(10, "user", "42");
        each.override("1000/s", Duration.ofSeconds(5), "user", "42");
        each.clock.advance(Duration.ofSeconds(5));
        assertThat(each.check(10, "user", "42").allowed()).as(algorithm.name()).isTrue();
        long left = each.check(0, "user", "42").remaining();
        each.cancel(id);
        assertThat(each.check(0, "user", "42").remaining()).as(algorithm.name()).isEqualTo(left);
      }
    }
  }

  @Test
  void commit_lessAfterAnOverride_givesBackOnlyWhatStillCounts() {
    bench.policy("api/user", TEN_A_DAY);
    String id = bench.reserve(10, "user", "42");
    bench.override("1000/s", Duration.ofSeconds(5), "user", "42");
    bench.clock.advance(Duration.ofSeconds(5));
    bench.check(10, "user", "42");
    bench.commit(id, 1);
    assertThat(bench.check(0, "user", "42").remaining()).isZero();
  }

  @Test
  void cancel_afterAnOverrideEndedEarly_givesBackOnlyWhatStillCounts() {
    bench.policy("api/user", TEN_A_DAY);
    String drained = bench.reserve(10, "user", "42");
    bench.override("1000/s", Duration.ofHours(1), "user", "42");
    bench.clock.advance(Duration.ofSeconds(5));
    bench.override("1000/s", Duration.ZERO, "user", "42");
    bench.check(4, "user", "42");
    String counts = bench.reserve(6, "user", "42");
    bench.cancel(drained);
    assertThat(bench.check(0, "user", "42").remaining()).isZero();
    bench.cancel(counts);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(6);
  }

  @Test
  void cancel_throughTwoOverrides_givesBackWhatWasTakenSinceTheFirst() {
    bench.policy("api/user", TEN_A_DAY);
    String before = bench.reserve(2, "user", "42");
    bench.clock.advanceNanos(1);
    bench.override("20/day", Duration.ofMinutes(1), "user", "42");
    bench.clock.advanceNanos(1);
    String within = bench.reserve(3, "user", "42");
    bench.clock.advanceNanos(1);
    bench.override("30/day", Duration.ofMinutes(1), "user", "42");
    bench.cancel(before);
    assertThat(bench.check(0, "user", "42").remaining()).as("not followed").isEqualTo(25);
    bench.cancel(within);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(28);
  }

  /** Much may happen in one instant: the limit tells under which override something was taken. */
  @Test
  void cancel_reservedAmongOverridesOfOneInstant_givesBackWhatWasTakenSinceTheFirst() {
    for (Algorithm algorithm : Algorithm.all()) {
      Bench each = halfPastEight();
      each.policy("api/user", document(perDay(10, algorithm), algorithm));
      each.check(algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0, "user", "42");
      each.override(perDay(20, algorithm), Duration.ofSeconds(1), "user", "42");
      String first = each.reserve(4, "user", "42");
      each.override(perDay(30, algorithm), Duration.ofSeconds(1), "user", "42");
      String second = each.reserve(5, "user", "42");
      each.cancel(second);
      assertThat(each.check(0, "user", "42").remaining()).as(algorithm.name()).isEqualTo(26);
      each.cancel(first);
      assertThat(each.check(0, "user", "42").remaining()).as(algorithm.name()).isEqualTo(30);
    }
  }

  @Test
  void cancel_afterARestart_knowsTheOverrideSince(@TempDir Path folder) {
    Bench first = new Bench(folder, new ManualClock());
    first.policy("api/user", TEN_A_DAY);
    String drained = first.reserve(10, "user", "42");
    String counts = first.reserve(4, "user", "43");
    first.override("1000/s", Duration.ofSeconds(5), "user", "42");
    first.override("20/day", Duration.ofSeconds(5), "user", "43");
    first.clock.advance(Duration.ofSeconds(5));
    first.check(10, "user", "42");
    Bench second = first.restarted();
    second.cancel(drained);
    assertThat(second.check(0, "user", "42").remaining()).isZero();
    second.cancel(counts);
    assertThat(second.check(0, "user", "43").remaining()).isEqualTo(10);
  }

  /** There and back: by its limit alone nobody could tell that anything has happened. */
  @Test
  void cancel_ofWhatATierHasLetDrain_givesNothingBack() {
    bench.tier("free", TEN_A_DAY).policy("api/user", "{\"tier\":\"free\"}");
    bench.tier("free", "{\"limits\":[\"20/day\"]}").tier("free", TEN_A_DAY);
    bench.clock.advance(Duration.ofHours(1));
    String id = bench.reserve(10, "user", "42");
    bench.clock.advance(Duration.ofSeconds(1));
    bench.tier("free", FAST);
    bench.clock.advance(Duration.ofSeconds(5));
    bench.tier("free", TEN_A_DAY);
    bench.check(10, "user", "42");
    bench.cancel(id);
    assertThat(bench.check(0, "user", "42").remaining()).isZero();
  }

  @Test
  void cancel_afterItsCustomerMovedToAnotherTier_givesBackNeverWhatOthersUsed() {
    bench.tier("free", TEN_A_DAY).tier("pro", FAST);
    bench.policy("api/user=acme", "{\"tier\":\"free\"}");
    bench.policy("api/user=globex", "{\"tier\":\"free\"}");
    String drained = bench.reserve(10, "user", "acme");
    String counts = bench.reserve(10, "user", "globex");
    bench.policy("api/user=acme", "{\"tier\":\"pro\"}");
    bench.tier("gold", "{\"limits\":[\"20/day\"]}");
    bench.policy("api/user=globex", "{\"tier\":\"gold\"}");
    bench.clock.advance(Duration.ofMillis(5));
    bench.check(1_000, "user", "acme");
    long left = bench.check(0, "user", "acme").remaining();
    bench.clock.advance(Duration.ofMillis(5));
    bench.cancel(drained);
    bench.cancel(counts);
    assertThat(bench.check(0, "user", "acme").remaining()).isEqualTo(left + 5);
    assertThat(bench.check(0, "user", "globex").remaining()).isEqualTo(20);
  }

  @Test
  void cancel_reservedAfterAReset_givesBackWhatItTook() {
    bench.policy("api/user", TEN_A_DAY);
    String before = bench.reserve(3, "user", "42");
    bench.reset("user", "42");
    String after = bench.reserve(5, "user", "42");
    bench.cancel(before);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(5);
    bench.cancel(after);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
    String between = bench.reserve(5, "user", "42");
    bench.reset("user", "42");
    bench.check(5, "user", "42");
    bench.cancel(between);
    assertThat(bench.check(0, "user", "42").remaining()).as("reset twice").isEqualTo(5);
  }

  @Test
  void commit_moreAfterAReset_countsWhatIsMore() {
    bench.policy("api/user", TEN_A_DAY);
    String id = bench.reserve(5, "user", "42");
    bench.reset("user", "42");
    bench.commit(id, 8);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(7);
  }

  @Test
  void commit_farAboveTheEstimate_countsInFullUntilItIsReset() {
    for (Algorithm algorithm : Algorithm.all()) {
      if (!isHeld(algorithm)) {
        Bench each = halfPastEight();
        each.policy("api/user", document(perDay(10, algorithm), algorithm));
        each.commit(each.reserve(1, "user", "42"), Long.MAX_VALUE);
        Answer denied = each.check(1, "user", "42");
        assertThat(denied.allowed()).as(algorithm.name()).isFalse();
        assertThat(denied.remaining()).as(algorithm.name()).isZero();
        assertThat(denied.retryAfterNanos()).as(algorithm.name()).isPositive();
        each.reset("user", "42");
        assertThat(each.check(10, "user", "42").allowed()).as(algorithm.name()).isTrue();
      }
    }
  }
}
