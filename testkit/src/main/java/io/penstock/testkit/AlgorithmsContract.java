package io.penstock.testkit;

import io.penstock.core.Algorithm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each algorithm in a few lines; the golden vectors have the many. */
interface AlgorithmsContract extends LimiterSource {
  @Test
  default void bucket_burstThenRate_givesOneUnitEachInterval() {
    for (Algorithm bucket :
        List.of(Algorithm.GCRA, Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET)) {
      Transcript at = transcript("5/s", bucket);
      at.at(0).take(5).allowed().left(0).fullAfter("1s");
      at.at(0).take(1).denied("200ms");
      at.at(199).take(1).denied("1ms");
      at.at(200).take(1).allowed().left(0);
      at.at(500).take(2).denied("100ms");
      at.at(600).take(2).allowed();
      at.at(60_000).take(5).allowed();
      at.at(60_000).take(1).denied("200ms");
    }
  }

  @Test
  default void bucket_burstAboveRate_isAllowedAtOnce() {
    Transcript at = transcript("10/s burst 30", Algorithm.GCRA);
    at.at(0).take(30).allowed().fullAfter("3s");
    at.at(0).take(30).denied("3s");
    at.at(1_000).take(10).allowed();
    at.at(1_000).take(1).denied("100ms");
  }

  @Test
  default void leakyQueue_callers_areSpacedAndTheNextBehindBurstIsDenied() {
    Transcript at = transcript("10/s burst 3", Algorithm.LEAKY_QUEUE);
    at.at(0).take(1).allowed().runsAfter("0s");
    at.at(0).take(1).allowed().runsAfter("100ms");
    at.at(0).take(1).allowed().runsAfter("200ms");
    at.at(0).take(1).allowed().runsAfter("300ms").left(0);
    at.at(0).take(1).denied("100ms");
    at.at(50).take(1).denied("50ms");
    at.at(100).take(1).allowed().runsAfter("300ms");
    at.at(1_000).take(1).allowed().runsAfter("0s");
  }

  @Test
  default void fixedWindow_newWindow_startsAtZero() {
    Transcript at = transcript("5/s", Algorithm.FIXED_WINDOW);
    at.at(900).take(5).allowed().left(0).fullAfter("100ms");
    at.at(900).take(1).denied("100ms");
    at.at(999).take(1).denied("1ms");
    at.at(1_000).take(5).allowed();
    at.at(1_100).take(1).denied("900ms");
  }

  @Test
  default void fixedWindow_calendarDayInAZone_endsAtLocalMidnight() {
    Transcript at = transcript("10/day Europe/Paris", Algorithm.GCRA);
    at.at(0).take(10).allowed();
    at.at(0).take(1).denied("23h");
    at.at(23 * 3_600_000).take(10).allowed().fullAfter("24h");
  }

  @Test
  default void slidingWindowLog_eachUnit_comesBackAPeriodAfterItWasTaken() {
    Transcript at = transcript("3/s", Algorithm.SLIDING_WINDOW_LOG);
    at.at(0).take(1).allowed().left(2);
    at.at(400).take(2).allowed().left(0).fullAfter("1s");
    at.at(500).take(1).denied("500ms");
    at.at(500).take(2).denied("900ms");
    at.at(1_000).take(1).allowed().left(0);
    at.at(1_399).take(1).denied("1ms");
    at.at(1_400).take(2).allowed();
  }

  @Test
  default void slidingWindowCounter_windowBefore_countsByTheShareStillCovered() {
    Transcript at = transcript("10/s", Algorithm.SLIDING_WINDOW_COUNTER);
    at.at(900).take(10).allowed().left(0).fullAfter("1100ms");
    at.at(1_000).take(1).denied("100ms");
    at.at(1_100).take(1).allowed().left(0);
    at.at(1_500).take(4).allowed().left(0);
    at.at(1_500).take(10).denied("1.5s");
    at.at(3_000).take(10).allowed();
  }

  @Test
  default void concurrency_leaseThatEnds_freesItsSlots() {
    Transcript at = transcript("3 concurrent lease 10s", Algorithm.CONCURRENCY);
    at.at(0).take(1).allowed().left(2);
    at.at(4_000).take(2).allowed().left(0).fullAfter("10s");
    at.at(5_000).take(1).denied("5s");
    at.at(10_000).take(1).allowed().left(0);
    at.at(13_999).take(1).denied("1ms");
    at.at(14_000).peek().left(2);
  }
}
