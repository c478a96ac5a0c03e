package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** By what time a new owner goes on. */
class LogTimeTest {
  private static final long NOW = 1_794_000_000_000_000_000L;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long HOUR = 3_600 * SECOND;

  @Test
  void r15_ownClockAnHourAhead_goesOnFromWhatWasReceived() {
    long own = NOW + HOUR;
    assertThat(LogTime.of(NOW, own, new long[] {NOW, NOW}, NOW)).isEqualTo(NOW);
    assertThat(LogTime.of(NOW, own, new long[] {}, NOW)).isEqualTo(NOW);
  }

  @Test
  void r15_nothingReceived_takesTheMiddleOfClocksThatAgree() {
    long own = NOW + HOUR;
    assertThat(LogTime.of(LogTime.NONE, own, new long[] {NOW, NOW + SECOND / 2}, 0))
        .isEqualTo(NOW + SECOND / 2);
    assertThat(LogTime.of(LogTime.NONE, NOW - HOUR, new long[] {NOW, NOW}, 0)).isEqualTo(NOW);
  }

  @Test
  void r15_nothingReceivedAndNoTwoAgree_takesItsOwn() {
    assertThat(LogTime.of(LogTime.NONE, NOW, new long[] {NOW + HOUR}, 0)).isEqualTo(NOW);
    assertThat(LogTime.of(LogTime.NONE, NOW, new long[] {NOW + HOUR, NOW - HOUR}, 0))
        .isEqualTo(NOW);
  }

  @Test
  void r15_receivedFarFromClocksThatAgree_takesTheirMiddle() {
    assertThat(LogTime.of(NOW - HOUR, NOW, new long[] {NOW, NOW + 1}, NOW - HOUR)).isEqualTo(NOW);
  }

  @Test
  void r15_anyClocks_neverBehindWhatIsStored() {
    assertThat(LogTime.of(NOW, NOW, new long[] {NOW, NOW}, NOW + HOUR)).isEqualTo(NOW + HOUR);
  }
}
