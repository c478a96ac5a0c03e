package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A thread that changes a policy is stopped while it reads the clock. */
class UpdateTimeTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long STOPPED = Duration.ofSeconds(50).toNanos();
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;

  private final Engine engine = new Engine(Policy.parse("1000/s"), null, 1 << 16, START);
  private final AtomicBoolean taken = new AtomicBoolean();

  private final Thread taker =
      new Thread(() -> taken.set(engine.decide(KEY, START + STOPPED, /* cost= */ 1_000).allowed()));

  @Test
  void update_readsTheClockLongBefore_nobodyIsDeniedForMoreThanWhatWasUsed() throws Exception {
    engine.update(Policy.parse("10/s burst 1000"), this::stopped);
    taker.join();
    assertThat(taken.get()).isTrue();
    long drained = START + STOPPED + Duration.ofSeconds(100).toNanos();
    assertThat(engine.decide(KEY, drained, /* cost= */ 0).remaining()).isEqualTo(1_000);
  }

  /** Long enough for a check to be answered, if nothing keeps it from that. */
  private long stopped() {
    taker.start();
    try {
      taker.join(Duration.ofMillis(100).toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return START;
  }
}
