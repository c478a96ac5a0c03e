package io.penstock.cluster;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** What time it is in the log, for a node that becomes the owner (R15). */
final class LogTime {
  /** Clocks that are no further apart than this agree. */
  static final long AGREE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** In place of an estimate: nothing was received from a live leader. */
  static final long NONE = Long.MIN_VALUE;

  private LogTime() {}

  /**
   * Goes on from what was received, unless at least two clocks agree that it is another time; never
   * behind what is stored.
   *
   * @param estimate what the last entry received makes it by now, or {@link #NONE}
   * @param own what this node's own clock says
   * @param others what the clocks of others say
   * @param stored the newest time in the log
   */
  static long of(long estimate, long own, long[] others, long stored) {
    long[] clocks = Arrays.copyOf(others, others.length + 1);
    clocks[others.length] = own;
    Arrays.sort(clocks);
    long middle = clocks[clocks.length / 2];
    boolean agreed = isAgreed(clocks, middle);
    boolean off = estimate == NONE || Math.abs(estimate - middle) > AGREE_NANOS;
    long now = agreed && off ? middle : estimate == NONE ? own : estimate;
    return Math.max(now, stored);
  }

  /** Whether another clock is near the one in the middle. */
  private static boolean isAgreed(long[] clocks, long middle) {
    return Arrays.stream(clocks).filter(each -> Math.abs(each - middle) <= AGREE_NANOS).count() > 1;
  }
}
