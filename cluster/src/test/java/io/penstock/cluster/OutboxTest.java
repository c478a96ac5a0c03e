package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes together on a stream, and what does not wait. */
class OutboxTest {
  private final ManualClock clock = new ManualClock();
  private final FakeStream stream = new FakeStream();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Traffic traffic = new Traffic();
  private final Outbox outbox = new Outbox(stream, tasks::add, clock, traffic.questions());

  private boolean put(long number, int bytes) {
    return outbox.put(Slip.letter(number, new byte[bytes]), Long.MAX_VALUE);
  }

  private void run() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Test
  void slips_putBeforeTheWriterRuns_goTogether() {
    put(1, 10);
    put(2, 10);
    put(3, 10);
    assertThat(tasks).as("asked once").hasSize(1);
    run();
    put(4, 10);
    run();
    assertThat(stream.numbers()).containsExactly(List.of(1L, 2L, 3L), List.of(4L));
    assertThat(traffic.questions().messages()).isEqualTo(2);
    assertThat(traffic.questions().letters()).isEqualTo(4);
  }

  @Test
  void parcel_beyond64Kilobytes_isClosed() {
    for (int i = 0; i < 5; i++) {
      put(i, 30_000);
    }
    put(5, 1 << 20);
    run();
    assertThat(stream.numbers()).containsExactly(List.of(0L, 1L, 2L), List.of(3L, 4L, 5L));
  }

  @Test
  void stream_isNotReady_takesEverythingTogetherOnceItIs() {
    stream.setOnReadyHandler(outbox::flush);
    stream.ready = false;
    put(1, 10);
    run();
    put(2, 10);
    run();
    assertThat(stream.sent).isEmpty();
    stream.becomeReady();
    assertThat(stream.numbers()).containsExactly(List.of(1L, 2L));
  }

  @Test
  void slips_heldWhileAParcelIsAnswered_leaveTogetherOnThatThread() {
    outbox.hold();
    put(1, 10);
    put(2, 10);
    assertThat(tasks).isEmpty();
    outbox.release();
    assertThat(stream.numbers()).containsExactly(List.of(1L, 2L));
    put(3, 10);
    run();
    assertThat(stream.sent).hasSize(2);
  }

  @Test
  void slip_waitsBeyondItsTime_isNotSent() {
    stream.ready = false;
    outbox.put(Slip.letter(1, new byte[10]), clock.nanos() + Duration.ofMillis(50).toNanos());
    put(2, 10);
    clock.advance(Duration.ofMillis(51));
    stream.ready = true;
    run();
    assertThat(stream.numbers()).containsExactly(List.of(2L));
  }

  @Test
  void r20_tooManyBytesWait_areRefusedUntilSomeAreSent() {
    stream.ready = false;
    int half = Outbox.WAITING_BYTES_MAX / 2 - 100;
    assertThat(put(1, half)).isTrue();
    assertThat(put(2, half)).isTrue();
    assertThat(put(3, half)).isFalse();
    stream.ready = true;
    run();
    assertThat(put(4, half)).isTrue();
    run();
    assertThat(stream.numbers()).containsExactly(List.of(1L), List.of(2L), List.of(4L));
  }

  @Test
  void stream_isOver_takesNothingAndHarmsNobody() {
    stream.cancelled = true;
    put(1, 10);
    run();
    stream.cancelled = false;
    put(2, 10);
    run();
    assertThat(stream.numbers()).containsExactly(List.of(2L));
  }
}
