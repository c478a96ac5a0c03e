package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EndingTest {
  @Test
  void of_raftThatEnds_isWaitedFor() {
    AtomicBoolean closed = new AtomicBoolean();
    assertThat(Ending.of(() -> closed.set(true), Duration.ofMinutes(1))).isTrue();
    assertThat(closed).isTrue();
  }

  @Test
  void of_raftThatFails_isOver() {
    assertThat(
            Ending.of(
                () -> {
                  throw new IOException("on purpose");
                },
                Duration.ofMinutes(1)))
        .isTrue();
  }

  @Test
  void of_raftThatWaitsForItself_isLeftAsItIs() {
    CountDownLatch never = new CountDownLatch(1);
    assertThat(
            Ending.of(
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    throw new IOException(e);
                  }
                },
                Duration.ofMillis(1)))
        .isFalse();
    never.countDown();
  }
}
