package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import org.junit.jupiter.api.Test;

/** What becomes of a ticket: with time, when the limit changes, and when the algorithm does. */
class TracedTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long HOUR = 3_600 * SECOND;
  private static final long DAY = 24 * HOUR;

  /** Ten o'clock in the morning. */
  private static final long TEN = 20_522 * DAY + 10 * HOUR;

  private static final Traced GCRA = new Gcra("gcra");
  private static final Traced QUEUE = new LeakyQueue();
  private static final Traced FIXED = new FixedWindow();
  private static final Traced LOG = new SlidingWindowLog();
  private static final Traced COUNTER = new SlidingWindowCounter();
  private static final Traced HELD = new Concurrency();

  private static long counted(Traced algorithm, String limit, long ticket, long now) {
    return algorithm.counted(/* units= */ 10, ticket, Limit.parse(limit), now);
  }

  private static long follow(Traced algorithm, long ticket, String from, String to, long now) {
    return algorithm.follow(ticket, Limit.parse(from), Limit.parse(to), now);
  }

  @Test
  void counted_bucket_losesAUnitWithEachIntervalThatHasBegun() {
    assertThat(counted(GCRA, "10/s", TEN, TEN)).isEqualTo(10);
    assertThat(counted(GCRA, "10/s", TEN + 1, TEN)).as("a ticket of later").isEqualTo(10);
    assertThat(counted(GCRA, "10/s", TEN, TEN + 1)).isEqualTo(9);
    assertThat(counted(GCRA, "10/s", TEN, TEN + 100 * MILLI)).isEqualTo(9);
    assertThat(counted(GCRA, "10/s", TEN, TEN + 100 * MILLI + 1)).isEqualTo(8);
    assertThat(counted(GCRA, "10/s", TEN, TEN + 900 * MILLI)).isEqualTo(1);
    assertThat(counted(GCRA, "10/s", TEN, TEN + 2 * SECOND)).isZero();
  }

  @Test
  void follow_bucket_keepsTheUnitsThatHaveComeBack() {
    assertThat(follow(GCRA, TEN, "10/s", "5/s", TEN)).isEqualTo(TEN);
    assertThat(follow(GCRA, TEN + 1, "10/s", "5/s", TEN)).as("of later").isEqualTo(TEN + 2);
    assertThat(follow(GCRA, TEN + 3, "5/s", "10/s", TEN)).as("rounded down").isEqualTo(TEN + 1);
    assertThat(follow(GCRA, TEN, "10/s", "5/s", TEN + 300 * MILLI)).isEqualTo(TEN - 300 * MILLI);
    assertThat(follow(GCRA, TEN, "10/s", "20/s", TEN + 300 * MILLI)).isEqualTo(TEN + 150 * MILLI);
  }

  @Test
  void follow_bucketNearTheEpoch_isGoneWhereATicketWouldNotBeAboveZero() {
    assertThat(follow(GCRA, SECOND, "10/s", "5/s", 2 * SECOND)).isEqualTo(Traced.GONE);
    assertThat(follow(GCRA, SECOND + 1, "10/s", "5/s", 2 * SECOND + 1)).isEqualTo(1);
  }

  @Test
  void counted_queue_losesAPlaceWithEachThatHasPassed() {
    assertThat(counted(QUEUE, "1/s", TEN, TEN)).isEqualTo(10);
    assertThat(counted(QUEUE, "1/s", TEN, TEN + 1)).isEqualTo(9);
    assertThat(counted(QUEUE, "1/s", TEN, TEN + SECOND)).isEqualTo(9);
    assertThat(counted(QUEUE, "1/s", TEN, TEN + SECOND + 1)).isEqualTo(8);
    assertThat(counted(QUEUE, "1/s", TEN, TEN + 9 * SECOND + 1)).isZero();
    assertThat(counted(QUEUE, "1/s", TEN, TEN + 20 * SECOND)).isZero();
  }

  @Test
  void follow_queue_keepsTheNumberOfPlacesAhead() {
    assertThat(follow(QUEUE, TEN + 3 * SECOND, "1/s", "2/s", TEN)).isEqualTo(TEN + 1_500 * MILLI);
    assertThat(follow(QUEUE, TEN, "1/s", "2/s", TEN)).isEqualTo(TEN);
    assertThat(follow(QUEUE, TEN - 3, "1/s", "2/s", TEN)).isEqualTo(TEN - 2);
    assertThat(follow(QUEUE, TEN - SECOND, "1/s", "2/s", TEN)).isEqualTo(TEN - 500 * MILLI);
    assertThat(follow(QUEUE, SECOND, "10/s", "5/s", 2 * SECOND)).isEqualTo(Traced.GONE);
  }

  @Test
  void rest_queue_beginsBehindThePlacesThatAreKept() {
    assertThat(QUEUE.rest(TEN, 2, Limit.parse("1/s"))).isEqualTo(TEN + 2 * SECOND);
    assertThat(QUEUE.rest(TEN, 1, Limit.parse("3000/s"))).isEqualTo(TEN + 333_333);
    assertThat(QUEUE.rest(TEN, 1, Limit.parse("300000000/s"))).isEqualTo(TEN + 3);
    assertThat(QUEUE.rest(TEN, 1, Limit.parse("400000000/s"))).as("lost").isEqualTo(1);
  }

  @Test
  void rest_bucket_beginsToDrainWhenWhatIsKeptHas() {
    assertThat(GCRA.rest(TEN, 2, Limit.parse("1/s"))).isEqualTo(TEN + 2 * SECOND);
    assertThat(GCRA.rest(TEN, 1, Limit.parse("3000/s"))).as("down").isEqualTo(TEN + 333_333);
  }

  @Test
  void counted_fixedWindow_isAllInTheWindowItWasTakenIn() {
    assertThat(counted(FIXED, "10/hour", TEN, TEN + HOUR - 1)).isEqualTo(10);
    assertThat(counted(FIXED, "10/hour", TEN, TEN + HOUR)).isZero();
    assertThat(counted(FIXED, "10/hour", TEN - 1, TEN)).isZero();
  }

  @Test
  void counted_fixedWindowAfterAChange_isAllUntilItsCountEnds() {
    assertThat(counted(FIXED, "10/hour", -(TEN + 1), TEN)).isEqualTo(10);
    assertThat(counted(FIXED, "10/hour", -TEN, TEN)).isZero();
  }

  @Test
  void follow_fixedWindow_staysIfTakenInTheNewWindowAndElseEndsWithTheFirst() {
    assertThat(follow(FIXED, TEN, "10/day", "10/hour", TEN + 1)).isEqualTo(TEN);
    assertThat(follow(FIXED, TEN - 1, "10/day", "10/hour", TEN)).isEqualTo(-(TEN + HOUR));
    assertThat(follow(FIXED, TEN + 1, "10/2hour", "10/day", TEN + HOUR)).isEqualTo(TEN + 1);
    assertThat(follow(FIXED, -(TEN + 2), "10/hour", "10/day", TEN + 1)).isEqualTo(-(TEN + 2));
    assertThat(follow(FIXED, -(TEN + DAY), "10/day", "10/hour", TEN)).isEqualTo(-(TEN + HOUR));
  }

  @Test
  void follow_fixedWindowThatHasEnded_isGone() {
    assertThat(follow(FIXED, TEN - 1, "10/hour", "10/day", TEN)).isEqualTo(Traced.GONE);
    assertThat(follow(FIXED, -TEN, "10/hour", "10/day", TEN)).isEqualTo(Traced.GONE);
  }

  @Test
  void log_ticket_countsForOnePeriodAndKeepsItsTime() {
    assertThat(counted(LOG, "10/s", TEN, TEN + SECOND - 1)).isEqualTo(10);
    assertThat(counted(LOG, "10/s", TEN, TEN + SECOND)).isZero();
    assertThat(follow(LOG, TEN, "10/s", "10/min", TEN + SECOND - 1)).isEqualTo(TEN);
    assertThat(follow(LOG, TEN, "10/s", "10/min", TEN + SECOND)).isEqualTo(Traced.GONE);
  }

  @Test
  void counted_counter_isAllInItsWindowThenItsShareThenNothing() {
    assertThat(counted(COUNTER, "10/hour", TEN, TEN + HOUR - 1)).isEqualTo(10);
    assertThat(counted(COUNTER, "10/hour", TEN, TEN + HOUR)).isEqualTo(10);
    assertThat(counted(COUNTER, "10/hour", TEN, TEN + HOUR + 1)).as("rounded down").isEqualTo(9);
    assertThat(counted(COUNTER, "10/hour", TEN, TEN + HOUR + HOUR / 4)).isEqualTo(7);
    assertThat(counted(COUNTER, "10/hour", TEN - 1, TEN + HOUR)).isZero();
  }

  @Test
  void counted_counterThatFades_isTheShareOfThePeriodThatIsLeft() {
    assertThat(counted(COUNTER, "10/hour", -(TEN + HOUR), TEN)).isEqualTo(10);
    assertThat(counted(COUNTER, "10/hour", -(TEN + HOUR / 2), TEN)).isEqualTo(5);
    assertThat(counted(COUNTER, "10/hour", -(TEN + HOUR / 2) + 1, TEN)).isEqualTo(4);
    assertThat(counted(COUNTER, "10/hour", -(TEN - 1), TEN)).isZero();
    assertThat(counted(COUNTER, "10/hour", Traced.GONE, TEN)).isZero();
  }

  @Test
  void follow_counter_staysWithTheWindowsAndElseFadesWithinTheNewPeriod() {
    assertThat(follow(COUNTER, TEN, "10/hour", "20/hour", TEN + 1)).isEqualTo(TEN);
    assertThat(follow(COUNTER, TEN, "10/hour", "10/min", TEN + 1))
        .isEqualTo(-(TEN + 1 + HOUR / 60));
    assertThat(follow(COUNTER, TEN, "10/hour", "10/min", TEN + HOUR + HOUR / 2))
        .isEqualTo(-(TEN + HOUR + HOUR / 2 + HOUR / 120));
    assertThat(follow(COUNTER, TEN - 1, "10/hour", "10/min", TEN + HOUR)).isEqualTo(Traced.GONE);
  }

  @Test
  void follow_counterThatFades_staysWithThePeriodAndElseKeepsItsShare() {
    long ticket = -(TEN + HOUR / 2);
    assertThat(follow(COUNTER, ticket, "10/hour", "20/hour", TEN)).isEqualTo(ticket);
    assertThat(follow(COUNTER, ticket, "10/hour", "10/60min", TEN)).isEqualTo(ticket);
    assertThat(follow(COUNTER, ticket, "10/hour", "10/2hour", TEN)).isEqualTo(-(TEN + HOUR));
    assertThat(follow(COUNTER, -TEN, "10/hour", "10/2hour", TEN)).isEqualTo(Traced.GONE);
  }

  @Test
  void lease_ticket_keepsItsNameAndIsNotFollowedElsewhere() {
    String limit = "5 concurrent lease 1s";
    assertThat(follow(HELD, 77, limit, "9 concurrent lease 1min", TEN)).isEqualTo(77);
    assertThat(counted(HELD, limit, 77, TEN)).isZero();
  }

  @Test
  void carried_eachAlgorithm_namesTheUnitsItWasGiven() {
    Limit hourly = Limit.parse("10/hour");
    assertThat(GCRA.carried(hourly, TEN)).isEqualTo(TEN);
    assertThat(GCRA.carried(hourly, 0)).as("no ticket is 0").isEqualTo(1);
    assertThat(COUNTER.carried(hourly, TEN)).isEqualTo(-(TEN + HOUR));
    assertThat(HELD.carried(Limit.parse("5 concurrent lease 1s"), TEN))
        .isEqualTo(Leases.ticket(/* name= */ 0, /* cost= */ 1));
  }

  /** Seven days count from a Thursday, weeks from a Monday. */
  @Test
  void follow_counterOfTheSamePeriodInOtherWindows_fadesOnce() {
    assertThat(follow(COUNTER, TEN, "10/7day", "10/week", TEN)).isEqualTo(-(TEN + 7 * DAY));
    assertThat(follow(COUNTER, -(TEN + DAY), "10/7day", "10/week", TEN)).isEqualTo(-(TEN + DAY));
  }

  /** Five nanoseconds are one and a half places of 3⅓. */
  @Test
  void follow_queueOfFractions_keepsPartsOfPlaces() {
    assertThat(follow(QUEUE, TEN + 5, "300000000/s", "150000000/s", TEN)).isEqualTo(TEN + 10);
  }
}
