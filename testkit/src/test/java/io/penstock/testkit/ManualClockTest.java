package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final List<String> ran = new ArrayList<>();

  private Runnable note(String name) {
    return () -> ran.add(name + "@" + clock.nanos());
  }

  @Test
  void nanos_new_standsAtTheBeginningOf2026() {
    assertThat(new ManualClock().instant()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void advanceAndSet_anyTime_moveTheClock() {
    clock.advance(Duration.ofSeconds(3));
    assertThat(clock.nanos()).isEqualTo(3_000_000_000L);
    clock.set(Instant.ofEpochSecond(1));
    assertThat(clock.nanos()).isEqualTo(1_000_000_000L);
    clock.setNanos(7);
    assertThat(clock.instant()).isEqualTo(Instant.ofEpochSecond(0, 7));
  }

  @Test
  void advance_negative_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> clock.advanceNanos(-1))
        .withMessage("by: -1 (expected: >= 0)");
  }

  @Test
  void sleep_callerThatWaits_movesTheClock() throws InterruptedException {
    Limiter limiter = Limiter.builder().policy("1/s").clock(clock).build();
    limiter.tryAcquire("a", 1);
    assertThat(limiter.acquire("a", 1, Duration.ofSeconds(1)).allowed()).isTrue();
    assertThat(clock.instant()).isEqualTo(Instant.ofEpochSecond(1));
  }

  @Test
  void sleep_callerThatIsInterrupted_throwsAndTheClockStays() {
    Limiter limiter = Limiter.builder().policy("1/s").clock(clock).build();
    limiter.tryAcquire("a", 1);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> limiter.acquire("a", 1, Duration.ofSeconds(1)));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(clock.nanos()).isZero();
  }

  @Test
  void after_timePasses_runsInOrderEachAtItsTime() {
    clock.after(30).execute(note("c"));
    clock.after(10).execute(note("a"));
    clock.after(20).execute(note("b1"));
    clock.after(20).execute(note("b2"));
    assertThat(clock.waiting()).isEqualTo(4);
    clock.advanceNanos(9);
    assertThat(ran).isEmpty();
    clock.advanceNanos(16);
    assertThat(ran).containsExactly("a@10", "b1@20", "b2@20");
    assertThat(clock.nanos()).isEqualTo(25);
    clock.setNanos(30);
    assertThat(ran).containsExactly("a@10", "b1@20", "b2@20", "c@30");
  }

  @Test
  void after_taskThatLeavesAnother_runsItInTheSameMove() {
    clock.after(10).execute(() -> clock.after(5).execute(note("later")));
    clock.advanceNanos(100);
    assertThat(ran).containsExactly("later@15");
    assertThat(clock.nanos()).isEqualTo(100);
  }

  @Test
  void after_setBack_runsNothing() {
    clock.advanceNanos(50);
    clock.after(10).execute(note("a"));
    clock.setNanos(0);
    clock.advanceNanos(59);
    assertThat(ran).isEmpty();
    clock.advanceNanos(1);
    assertThat(ran).containsExactly("a@60");
  }

  @Test
  void advance_byNothing_runsWhatMayRunAtOnce() {
    Limiter limiter = Limiter.builder().policy("1 concurrent lease 30s").clock(clock).build();
    Reservation slot = limiter.reserve("a", 1);
    CompletableFuture<Decision> waiter =
        limiter.tryAcquireAsync("a", 1, Duration.ofSeconds(2)).toCompletableFuture();
    slot.close();
    assertThat(waiter).isNotDone();
    clock.advance(Duration.ZERO);
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void advance_manyThreads_addsUp() throws Exception {
    long added =
        ThreadsContract.together(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                clock.advanceNanos(1);
              }
              return 1_000L;
            });
    assertThat(clock.nanos()).isEqualTo(added);
  }

  private static void assertBad(String message, ThrowingCallable call) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
  }

  @Test
  void clock_beforeOrAfterAllThatANanosecondCanTell_isRefusedByName() {
    String range = " (expected: 1970-01-01T00:00:00Z..2262-04-11T23:47:16.854775807Z)";
    Instant before = Instant.EPOCH.minusNanos(1);
    assertBad("start: " + before + range, () -> new ManualClock(before));
    assertBad("start: " + Instant.MAX + range, () -> new ManualClock(Instant.MAX));
    assertBad("instant: " + before + range, () -> clock.set(before));
    assertBad("instant: " + Instant.MAX + range, () -> clock.set(Instant.MAX));
    assertBad("nanos: -1 (expected: >= 0)", () -> clock.setNanos(-1));
    assertThat(clock.nanos()).isZero();
  }

  @Test
  void advance_beyondTheLastInstant_isRefusedByName() {
    clock.setNanos(1);
    String left = "PT0S..PT2562047H47M16.854775806S";
    Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
    assertBad("by: " + huge + " (expected: " + left + ")", () -> clock.advance(huge));
    assertBad("by: PT-1S (expected: " + left + ")", () -> clock.advance(Duration.ofSeconds(-1)));
    assertBad(
        "by: 9223372036854775807 (expected: 0..9223372036854775806)",
        () -> clock.advanceNanos(Long.MAX_VALUE));
    assertThat(clock.nanos()).isEqualTo(1);
  }

  @Test
  void after_forEver_runsAtTheLastInstant() {
    clock.setNanos(1);
    clock.after(Long.MAX_VALUE).execute(note("a"));
    clock.setNanos(Long.MAX_VALUE);
    assertThat(ran).containsExactly("a@" + Long.MAX_VALUE);
  }

  @Test
  @SuppressWarnings("NullAway")
  void clock_nothingGiven_isRefusedByName() {
    assertMissing("start: null (expected: an instant)", () -> new ManualClock(null));
    assertMissing("instant: null (expected: an instant)", () -> clock.set(null));
    assertMissing("by: null (expected: a duration)", () -> clock.advance(null));
    assertMissing("run: null (expected: a task)", () -> clock.after(1).execute(null));
  }

  private static void assertMissing(String message, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(message);
  }
}
