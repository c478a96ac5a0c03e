package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.laws.PureKey;
import org.junit.jupiter.api.Test;

/** Who gets into the queue: one that runs and as many as the burst that wait. */
class LeakyQueueTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long MILLI = 1_000_000;

  private static PureKey key(String limit) {
    return new PureKey(Algorithm.LEAKY_QUEUE, Limit.parse(limit));
  }

  @Test
  void decide_twelveCallersOfABurstOfTen_oneRunsTenWaitOneIsDenied() {
    PureKey key = key("10/s burst 10");
    for (int caller = 0; caller <= 10; caller++) {
      Step step = key.take(START, 1);
      assertThat(step.allowed()).isTrue();
      assertThat(step.waitNanos()).isEqualTo(100 * MILLI * caller);
    }
    Step twelfth = key.take(START, 1);
    assertThat(twelfth.allowed()).isFalse();
    assertThat(twelfth.never()).isFalse();
    assertThat(twelfth.retryAfterNanos()).isEqualTo(100 * MILLI);
  }

  @Test
  void decide_costOfAllPlaces_fitsOnceTheQueueIsEmpty() {
    PureKey key = key("10/s burst 10");
    assertThat(key.take(START, 11).allowed()).isTrue();
    Step again = key.take(START, 11);
    assertThat(again.never()).isFalse();
    assertThat(again.retryAfterNanos()).isEqualTo(1_100 * MILLI);
    assertThat(key.take(START + 1_100 * MILLI, 11).allowed()).isTrue();
  }

  @Test
  void decide_costAboveAllPlaces_isNeverAndLeavesTheQueue() {
    PureKey key = key("10/s burst 10");
    assertThat(key.take(START, 12).never()).as("empty").isTrue();
    assertThat(key.take(START, Long.MAX_VALUE).never()).as("largest").isTrue();
    key.take(START, 4);
    Step busy = key.take(START, 12);
    assertThat(busy.never()).as("busy").isTrue();
    assertThat(busy.remaining()).isEqualTo(7);
    assertThat(busy.resetAfterNanos()).isEqualTo(400 * MILLI);
  }
}
