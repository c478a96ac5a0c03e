package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.laws.PureKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets into the queue: one that runs and as many as the burst that wait. */
class LeakyQueueTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final long LATER = START + 2_500 * MILLI;

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

  @Test
  void decide_wouldMoveTheTailBeyondTheLongestDebt_waitsForRoom() {
    PureKey key = key("1/year burst 70");
    long year = Limit.parse("1/year").periodNanos();
    for (int place = 0; place <= 70; place++) {
      key.take(0, 1);
    }
    for (int place = 1; place < 20; place += 2) {
      key.giveBack(0, 1, place * year);
    }
    assertThat(key.take(0, 2).waitNanos()).isEqualTo(71 * year);
    Step behind = key.take(0, 2);
    assertThat(behind.allowed()).isFalse();
    assertThat(behind.retryAfterNanos()).isEqualTo(75 * year - Wide.MAX);
  }

  /** Places 1 to 3 of 5 are given up, and half of the third second has passed. */
  private static PureKey withAGapThatPasses() {
    PureKey key = key("1/s burst 9");
    key.take(START, 1);
    long gap = key.take(START, 3).ticket();
    key.take(START, 1);
    key.giveBack(START, 3, gap);
    return key;
  }

  @Test
  void used_gapThatPasses_countsOnlyThePlacesThatAreStillFree() {
    PureKey key = withAGapThatPasses();
    key.change(LATER, Algorithm.GCRA, Limit.parse("10/min"));
    assertThat(key.ask(LATER, 0).remaining()).isEqualTo(8);
    assertThat(key.ask(LATER, 0).resetAfterNanos()).as("one and a half").isEqualTo(9_000 * MILLI);
  }

  @Test
  void giveBack_lastPlaceBehindAGapThatPasses_movesTheTailToWhatIsLeftOfIt() {
    PureKey key = withAGapThatPasses();
    key.giveBack(LATER, 1, START + 4_000 * MILLI);
    assertThat(key.take(LATER, 1).waitNanos()).isEqualTo(500 * MILLI);
  }

  @Test
  void decide_placeOfAGap_isTakenAtItsInstantAndNotAfter() {
    PureKey key = withAGapThatPasses();
    assertThat(key.ask(START + 3_000 * MILLI, 1).waitNanos()).isZero();
    assertThat(key.ask(START + 3_000 * MILLI + 1, 1).waitNanos()).isEqualTo(2_000 * MILLI - 1);
    assertThat(key.ask(START + 2_000 * MILLI, 2).waitNanos()).isZero();
    assertThat(key.ask(START + 2_000 * MILLI, 3).waitNanos()).isEqualTo(3_000 * MILLI);
  }

  @Test
  void giveBack_all_isTheEmptyState() {
    PureKey key = key("1/s burst 9");
    key.take(START, 3);
    key.giveBack(START, 3, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo("0 0 0");
  }

  /** Who has run has used its place up: the next one keeps its distance, whatever is refunded. */
  @Test
  void refund_placeWhoseTimeHasCome_isUsedUp() {
    PureKey key = key("1/s burst 5");
    key.take(START, 1);
    key.giveBack(START + 400 * MILLI, 1, /* ticket= */ 0);
    assertThat(key.take(START + 400 * MILLI, 1).waitNanos()).isEqualTo(600 * MILLI);
    key.take(START + 400 * MILLI, 2);
    key.giveBack(START + 1_500 * MILLI, 9, /* ticket= */ 0);
    assertThat(key.take(START + 1_500 * MILLI, 1).waitNanos()).isEqualTo(500 * MILLI);
  }

  @Test
  void deny_gapThatPassesMeanwhile_fitsAtRetryAfterAndFromThenOn() {
    PureKey key = key("1/s burst 5");
    key.take(START, 1);
    long gap = key.take(START, 1).ticket();
    key.take(START, 4);
    key.giveBack(START, 1, gap);
    long retry = 2_000 * MILLI;
    assertThat(key.take(START, 2).retryAfterNanos()).isEqualTo(retry);
    assertThat(key.ask(START + retry - 1, 2).allowed()).isFalse();
    for (long at = START + retry; at < START + retry + 3; at++) {
      assertThat(key.ask(at, 2).allowed()).isTrue();
    }
  }

  /** 3⅓ ns and 10 ns have the same numerator. */
  @Test
  void change_fromAFractionOfTheSameNumerator_spreadsThePlaces() {
    PureKey key = key("300000000/s burst 9");
    key.take(START, 3);
    key.change(START, Algorithm.LEAKY_QUEUE, Limit.parse("100000000/s burst 9"));
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(30);
  }

  @Test
  void carry_stateOfBefore_isForgotten() {
    Step step = new Step();
    step.log().append(START + 1, 3);
    step.used(/* whole= */ 2, /* part= */ 0, /* of= */ 1);
    new LeakyQueue().carry(step, Limit.parse("1/s"), START);
    assertThat(step.log().size()).isZero();
    assertThat(step.until).isEqualTo(START + 2_000 * MILLI);
  }

  /** Of 1.000000001 ns each: the place that ends at 2.000000002 ns is told to end at 3. */
  @Test
  void change_gapOfFractions_liesAsManyPlacesBeforeTheTail() {
    Limit second = Limit.parse("1/s burst 9");
    PureKey one = key("999999999/s burst 9");
    one.take(START, 1);
    long middle = one.take(START, 1).ticket();
    one.take(START, 1);
    one.giveBack(START, 1, middle);
    assertThat(one.state()).endsWith(" (%d 1)".formatted(START + 3));
    one.change(START, Algorithm.LEAKY_QUEUE, second);
    assertThat(one.state())
        .isEqualTo("%d 0 0 (%d 1)".formatted(START + 3_000 * MILLI, START + 2_000 * MILLI));

    PureKey two = key("999999999/s burst 9");
    two.take(START, 1);
    long both = two.take(START, 2).ticket();
    two.take(START, 1);
    two.giveBack(START, 2, both);
    two.change(START, Algorithm.LEAKY_QUEUE, second);
    assertThat(two.state())
        .isEqualTo((START + 4_000 * MILLI) + " 0 0 (%d 2)".formatted(START + 3_000 * MILLI));
  }

  @Test
  void decide_costOfTwo_takesTheGapThatHasTwo() {
    PureKey key = key("1/s burst 9");
    long[] places = new long[6];
    for (int i = 0; i < places.length; i++) {
      places[i] = key.take(START, 1).ticket();
    }
    key.giveBack(START, 1, places[1]);
    key.giveBack(START, 1, places[3]);
    key.giveBack(START, 1, places[4]);
    assertThat(key.take(START, 2).waitNanos()).isEqualTo(3_000 * MILLI);
    assertThat(key.state())
        .as("the other gap is left")
        .isEqualTo((START + 6_000 * MILLI) + " 0 0 (%d 1)".formatted(START + 2_000 * MILLI));
    key.take(START + 2_000 * MILLI, 1);
    assertThat(key.state()).as("it has passed").isEqualTo((START + 7_000 * MILLI) + " 0 0");
  }

  @Test
  void giveBack_moreThanThereIsAtTheEndOfTime_emptiesTheQueue() {
    Limit limit = Limit.parse("2/70year");
    PureKey key = key("2/70year");
    long last = Arrears.LATEST;
    key.take(last, 1);
    Step second = key.take(last, 1);
    Algorithm.LEAKY_QUEUE.giveBack(second, limit, last, 3, second.ticket());
    assertThat(second.until).isZero();
    assertThat(second.log().size()).isZero();
  }

  /** Places of a third of a microsecond, given up in every order, are nobody's in the end. */
  @Test
  void giveBack_allPlacesOfAFraction_emptiesTheQueueInAnyOrder() {
    long[] costs = {5, 1, 1, 2};
    for (int order = 0; order < 24; order++) {
      PureKey key = key("3000/s burst 100");
      List<Integer> left = new ArrayList<>(List.of(0, 1, 2, 3));
      long[] tickets = new long[costs.length];
      for (int i = 0; i < costs.length; i++) {
        tickets[i] = key.take(START, costs[i]).ticket();
      }
      for (int rest = order, places = 4; places > 0; rest /= places, places--) {
        int next = left.remove(rest % places);
        key.giveBack(START, costs[next], tickets[next]);
      }
      assertThat(key.state()).as("order %d", order).isEqualTo("0 0 0");
    }
  }

  /** Of 78 years that are owed, the first ten are given up: what is left is a debt again. */
  @Test
  void giveBack_firstPlacesOfMoreThanTheLongestDebt_leavesThoseOfOthers() {
    PureKey key = key("2/year burst 99");
    long first = key.take(START, 10).ticket();
    key.take(START, 68);
    key.change(START, Algorithm.LEAKY_QUEUE, Limit.parse("1/year burst 60"));
    key.giveBack(START, 10, first);
    Step next = key.ask(START, 1);
    assertThat(next.allowed()).isFalse();
    assertThat(next.resetAfterNanos()).isEqualTo(68 * Limit.parse("1/year").periodNanos());
  }

  /** Two nanoseconds are left of a place of 3⅓, between a gap that is rounded up and the tail. */
  @Test
  void giveBack_lastPlaceBehindAPlaceThatRoundingMadeShort_leavesThatPlace() {
    PureKey key = key("300000000/s burst 20");
    key.take(START, 1);
    long three = key.take(START, 3).ticket();
    long two = key.take(START, 2).ticket();
    Limit limit = key.limit();
    key.giveBack(START, 2, new LeakyQueue().rest(three, 1, limit));
    key.giveBack(START, 1, new LeakyQueue().rest(two, 1, limit));
    assertThat(two).isEqualTo(START + 14);
    assertThat(key.take(START, 3).waitNanos()).isEqualTo(17);
  }

  /** Who ran at once keeps that: the place at 16⅔ ns, told as 17, is another's. */
  @Test
  void giveBack_placeThatHasPassedBeforeAGapOfFractions_leavesThePlaceBehindIt() {
    PureKey key = key("300000000/s burst 5");
    long first = key.take(START, 1).ticket();
    long middle = key.take(START, 4).ticket();
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(17);
    key.giveBack(START, 4, middle);
    String before = key.state();
    key.giveBack(START + 6, 1, first);
    assertThat(key.state()).isEqualTo(before.replace(" 4)", " 3)"));
    assertThat(key.ask(START + 6, 3).waitNanos()).isEqualTo(1);
    assertThat(key.ask(START + 6, 4).waitNanos()).isEqualTo(14);
  }

  /** A caller runs for two nanoseconds more: the next one comes after that. */
  @Test
  void giveBack_lastPlacesWhileAFewNanosecondsAreLeftOfTheOneBefore_leavesThatOne() {
    PureKey key = key("3000/s burst 5");
    key.take(START, 1);
    long second = key.take(START, 1).ticket();
    long third = key.take(START, 1).ticket();
    key.giveBack(START + 333_332, 1, second);
    key.giveBack(START + 333_332, 1, third);
    assertThat(key.take(START + 333_332, 1).waitNanos()).isEqualTo(2);
  }

  /** Places of 4, 7 and 10 ns, rounded up: that of 7 has run, although 4 + 3⅓ has not passed. */
  @Test
  void giveBack_placeThatHasRunByItsRoundedTime_isUsedUp() {
    PureKey key = key("300000000/s burst 20");
    key.take(START, 1);
    long three = key.take(START, 3).ticket();
    assertThat(three).isEqualTo(START + 4);
    key.giveBack(START + 8, 3, three);
    assertThat(key.take(START + 8, 1).waitNanos()).isEqualTo(2);
  }
}
