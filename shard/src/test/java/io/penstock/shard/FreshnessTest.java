package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is answered while what was answered before it is not written in time (R14). */
@Timeout(60)
class FreshnessTest {
  @TempDir Path folder;
  private final ManualClock clock = new ManualClock(Sample.TIME);
  private final Faults faults = new Faults();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  private Shard open() {
    return Shard.open(Sample.options(folder, clock), faults);
  }

  /** The writer comes no further than to its next write. */
  private void hold() {
    faults.failToWrite(
        path -> {
          held.countDown();
          try {
            released.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return false;
        });
  }

  @AfterEach
  void letGo() {
    released.countDown();
  }

  @Test
  void keepsUp_writerInTime_isTrueAtOnce() {
    try (Shard shard = open()) {
      hold();
      new Ledger(shard).decide(0, 0, 1);
      clock.advance(Duration.ofMillis(20));
      assertThat(shard.keepsUp(clock.nanos())).isTrue();
      letGo();
    }
  }

  @Test
  void keepsUp_writerHeldBack_waitsForIt() throws Exception {
    Freshness freshness = new Freshness(clock);
    clock.advance(Duration.ofMillis(21));
    long late = clock.nanos();
    assertThat(freshness.isLate(late)).isTrue();
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    CountDownLatch written = new CountDownLatch(1);
    Thread decider =
        new Thread(() -> answer.complete(freshness.isCaughtUp(late) && written.getCount() == 0));
    decider.start();
    Await.until(() -> decider.getState() == Thread.State.TIMED_WAITING || answer.isDone());
    written.countDown();
    freshness.advance(late - 1);
    assertThat(answer.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(freshness.isBehind()).isFalse();
  }

  /** A test that stops or steps the time of decisions must neither lift nor end the window. */
  @Test
  void keepsUp_timeOfDecisionsIsStepped_goesByTheOther() throws Exception {
    ManualClock stepped = new ManualClock(Sample.TIME);
    try (Shard shard = Shard.open(Sample.options(folder, clock).by(stepped), faults)) {
      Ledger ledger = new Ledger(shard);
      hold();
      ledger.decide(0, 0, 1);
      held.await();
      stepped.advance(Duration.ofDays(1));
      assertThat(shard.clock().nanos()).isEqualTo(stepped.nanos());
      assertThat(shard.keepsUp(stepped.nanos())).isTrue();
      clock.advance(Duration.ofMillis(21));
      assertThat(shard.keepsUp(stepped.nanos())).isFalse();
      letGo();
    }
  }

  @Test
  void keepsUp_diskHangs_decidesAndSaysSoUntilItIsBack() throws Exception {
    try (Shard shard = open()) {
      Ledger ledger = new Ledger(shard);
      hold();
      ledger.decide(0, 0, 1);
      held.await();
      clock.advance(Duration.ofMillis(21));
      long late = ledger.decide(1, 0, 1);
      assertThat(shard.keepsUp(late)).isFalse();
      assertThat(shard.trouble()).isEqualTo(folder + ": not written in time");
      assertThat(shard.isDurable()).as("nothing is lost yet").isTrue();
      letGo();
      Await.until(() -> shard.trouble() == null);
      assertThat(shard.keepsUp(clock.nanos())).isTrue();
    }
  }
}
