package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.laws.PureKey;
import org.junit.jupiter.api.Test;

/** Two counts at the edges of their windows, and one that fades after a change of them. */
class SlidingWindowCounterTest {
  private static final long SECOND = 1_000_000_000;
  private static final long HALF = SECOND / 2;
  private static final long MINUTE = 60 * SECOND;

  /** The start of a minute. */
  private static final long START = 29_552_430 * MINUTE;

  private final PureKey key = key("10/s");

  private static PureKey key(String limit) {
    return new PureKey(Algorithm.SLIDING_WINDOW_COUNTER, Limit.parse(limit));
  }

  private void change(long now, String limit) {
    key.change(now, key.algorithm(), Limit.parse(limit));
  }

  private long left(long now) {
    return key.ask(now, 0).remaining();
  }

  /** Eight of ten, changed to a minute in the window they were taken in: gone after a minute. */
  private void fadeEight(long now) {
    key.take(now, 8);
    change(now, "10/min");
  }

  @Test
  void decide_atTheCount_isAllowedAndOneMoreIsNot() {
    assertThat(key.ask(START, 10).allowed()).isTrue();
    assertThat(key.ask(START, 11).never()).isTrue();
    key.take(START, 9);
    assertThat(key.ask(START, 2).allowed()).isFalse();
    assertThat(key.take(START, 1).remaining()).isZero();
  }

  @Test
  void decide_previousWindow_countsItsShareUntilTheEndOfThisOne() {
    key.take(START + SECOND - 1, 10);
    assertThat(left(START + SECOND)).isZero();
    assertThat(left(START + SECOND + HALF)).isEqualTo(5);
    assertThat(left(START + SECOND + HALF - 1)).isEqualTo(4);
    assertThat(left(START + 2 * SECOND - 1)).isEqualTo(9);
    assertThat(left(START + 2 * SECOND)).isEqualTo(10);
  }

  @Test
  void decide_reset_isTheEndOfTheWindowInWhichNothingCounts() {
    assertThat(key.ask(START, 0).resetAfterNanos()).isZero();
    key.take(START, 4);
    assertThat(key.ask(START + 1, 0).resetAfterNanos()).isEqualTo(2 * SECOND - 1);
    assertThat(key.ask(START + SECOND, 0).resetAfterNanos()).isEqualTo(SECOND);
    key.take(START + SECOND, 1);
    assertThat(key.ask(START + SECOND, 0).resetAfterNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void decide_denied_waitsForTheShareOrForTheNextWindow() {
    key.take(START, 8);
    key.take(START + SECOND, 2);
    assertThat(key.ask(START + SECOND, 4).retryAfterNanos()).isEqualTo(HALF);
    assertThat(key.ask(START + SECOND, 8).retryAfterNanos()).isEqualTo(SECOND);
    assertThat(key.ask(START + SECOND, 9).retryAfterNanos()).isEqualTo(SECOND + HALF);
    assertThat(key.ask(START + SECOND, 10).retryAfterNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void fade_currentCount_takesAWholePeriod() {
    fadeEight(START + HALF);
    assertThat(left(START + HALF)).isEqualTo(2);
    assertThat(left(START + HALF + 30 * SECOND)).isEqualTo(6);
    assertThat(left(START + HALF + 30 * SECOND - 1)).isEqualTo(5);
    assertThat(key.ask(START + HALF, 0).resetAfterNanos()).isEqualTo(MINUTE);
  }

  @Test
  void fade_previousCount_takesTheShareOfThePeriodItHadLeft() {
    key.take(START + HALF, 8);
    long now = START + SECOND + HALF;
    change(now, "10/min");
    assertThat(left(now)).isEqualTo(6);
    assertThat(left(now + 15 * SECOND)).isEqualTo(8);
    assertThat(key.ask(now, 0).resetAfterNanos()).isEqualTo(30 * SECOND);
  }

  @Test
  void fade_anotherCount_goesOnAndAnotherPeriodScalesWhatIsLeft() {
    fadeEight(START);
    long now = START + 30 * SECOND;
    change(now, "20/60s");
    assertThat(left(now)).isEqualTo(16);
    assertThat(key.ask(now, 0).resetAfterNanos()).isEqualTo(30 * SECOND);
    change(now, "20/hour");
    assertThat(left(now)).isEqualTo(16);
    assertThat(key.ask(now, 0).resetAfterNanos()).isEqualTo(30 * MINUTE);
  }

  @Test
  void fade_denied_isAllowedAtItsWaitAndNotBefore() {
    fadeEight(START);
    Step denied = key.ask(START, 4);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.remaining()).isEqualTo(2);
    assertThat(denied.retryAfterNanos()).isEqualTo(15 * SECOND);
    assertThat(denied.resetAfterNanos()).isEqualTo(MINUTE);
    assertThat(key.ask(START + 15 * SECOND - 1, 4).allowed()).isFalse();
    assertThat(key.ask(START + 15 * SECOND, 4).allowed()).isTrue();
    assertThat(key.ask(START, 10).never()).isFalse();
    Step never = key.ask(START, 11);
    assertThat(never.never()).isTrue();
    assertThat(never.remaining()).isEqualTo(2);
    assertThat(never.resetAfterNanos()).isEqualTo(MINUTE);
  }

  @Test
  void fade_aUnitTaken_leavesToThisWindowWhatOutlivesIt() {
    fadeEight(START + 1);
    Step taken = key.take(START + 1, 2);
    assertThat(taken.remaining()).isZero();
    assertThat(taken.ticket()).isEqualTo(START + 1);
    assertThat(key.state()).isEqualTo(START + 2 * MINUTE + " 3 7");
  }

  @Test
  void fade_aUnitTaken_joinsThePreviousWindowIfItIsGoneWithThisOne() {
    fadeEight(START);
    key.take(START + 30 * SECOND, 1);
    assertThat(key.state()).isEqualTo(START + 2 * MINUTE + " 1 8");
    assertThat(left(START + 45 * SECOND)).isEqualTo(7);
  }

  @Test
  void fade_charge_countsBeyondTheCount() {
    fadeEight(START + 1);
    assertThat(key.charge(START + 1, 5).remaining()).isZero();
    assertThat(key.state()).isEqualTo(START + 2 * MINUTE + " 6 7");
  }

  @Test
  void fade_refund_leavesTheRestItsTime() {
    fadeEight(START);
    key.giveBack(START + 30 * SECOND, 1, /* ticket= */ 0);
    assertThat(left(START + 30 * SECOND)).isEqualTo(7);
    assertThat(key.ask(START + 30 * SECOND, 0).resetAfterNanos()).isEqualTo(30 * SECOND);
    key.giveBack(START + 30 * SECOND, 3, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo("0 0 0");
  }

  @Test
  void fade_refundOfMoreThanIsUsed_isFullAndNotMore() {
    fadeEight(START);
    key.giveBack(START, 9, /* ticket= */ 0);
    assertThat(left(START)).isEqualTo(10);
  }

  @Test
  void fade_ticket_givesBackItsShareAndOneOfBeforeNothing() {
    fadeEight(START);
    long half = START + 30 * SECOND;
    key.giveBack(half, 4, -(START + MINUTE));
    assertThat(left(half)).isEqualTo(8);
    key.giveBack(half, 4, START);
    assertThat(left(half)).isEqualTo(8);
  }

  @Test
  void giveBack_firstInstantOfTheWindow_comesOutOfThisCount() {
    key.take(START - 1, 3);
    long first = key.take(START, 4).ticket();
    key.giveBack(START, 4, first);
    assertThat(key.state()).isEqualTo(START + 2 * SECOND + " 0 3");
  }

  @Test
  void giveBack_withoutTicket_comesOutOfThisCountFirstAndNotBelowZero() {
    key.take(START - 1, 3);
    key.take(START, 4);
    key.giveBack(START, 1, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo(START + 2 * SECOND + " 3 3");
    key.giveBack(START, 4, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo(START + 2 * SECOND + " 0 2");
    key.giveBack(START + SECOND / 2, 9, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo(START + 2 * SECOND + " 0 0");
  }

  @Test
  void giveBack_withoutTicketLaterInTheWindow_countsForAsMuchMoreOfTheCountBefore() {
    key.take(START - 1, 8);
    key.take(START, 1);
    key.giveBack(START + SECOND / 2, 3, /* ticket= */ 0);
    assertThat(key.state()).as("2 of 4 are 4 of 8").isEqualTo(START + 2 * SECOND + " 0 4");
  }

  @Test
  void giveBack_ticketOfThePreviousWindow_comesOutOfItsCountFromItsFirstInstantOn() {
    key.take(START - SECOND, 3);
    key.take(START, 4);
    key.giveBack(START, 3, START - SECOND - 1);
    assertThat(key.state()).as("one window earlier").isEqualTo(START + 2 * SECOND + " 4 3");
    key.giveBack(START, 1, START - SECOND);
    assertThat(key.state()).isEqualTo(START + 2 * SECOND + " 4 2");
    key.giveBack(START, 9, START - 1);
    assertThat(key.state()).isEqualTo(START + 2 * SECOND + " 4 0");
  }

  @Test
  void giveBack_nothingTakenInThisWindow_comesOutOfTheCountBefore() {
    key.take(START - SECOND, 5);
    key.giveBack(START, 2, START - SECOND);
    assertThat(key.state()).isEqualTo(START + SECOND + " 3 0");
    key.giveBack(START, 3, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo(START + SECOND + " 0 0");
  }

  @Test
  void giveBack_ticketThatFaded_comesOutOfTheCountItHasJoined() {
    fadeEight(START + 1);
    key.take(START + 1, 1);
    key.giveBack(START + 1, 8, -(START + 1 + MINUTE));
    assertThat(key.state()).as("this one").isEqualTo(START + 2 * MINUTE + " 1 0");
  }

  @Test
  void giveBack_ticketThatFaded_comesOutOfThePreviousCountIfItJoinedThat() {
    fadeEight(START);
    long now = START + 30 * SECOND;
    key.take(now, 1);
    key.giveBack(now, 4, -(START + MINUTE));
    assertThat(key.state()).isEqualTo(START + 2 * MINUTE + " 1 4");
  }

  /** Seven days count from a Thursday, weeks from a Monday. */
  @Test
  void change_samePeriodInOtherWindows_fadesOnce() {
    change(START, "10/7day");
    key.take(START, 8);
    change(START, "10/week");
    assertThat(key.state()).endsWith(" 8 -1");
    String fading = key.state();
    change(START + MINUTE, "10/7day");
    assertThat(key.state()).isEqualTo(fading);
  }

  @Test
  void change_allOfThisWindowGivenBack_fadesAsThePreviousOneDoes() {
    key.take(START - 1, 8);
    long ticket = key.take(START, 1).ticket();
    key.giveBack(START, 1, ticket);
    change(START + HALF, "10/min");
    assertThat(left(START + HALF)).isEqualTo(6);
    assertThat(key.ask(START + HALF, 0).resetAfterNanos()).isEqualTo(30 * SECOND);
  }
}
