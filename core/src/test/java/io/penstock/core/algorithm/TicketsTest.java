package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.laws.PureKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Giving back by ticket: never what somebody else has taken. */
class TicketsTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000;

  private static PureKey key(String limit, Algorithm algorithm) {
    return new PureKey(algorithm, Limit.parse(limit));
  }

  @Test
  void concurrency_sameLeaseGivenBackTwice_freesNobodyElsesSlot() {
    PureKey key = key("1 concurrent lease 1min", Algorithm.CONCURRENCY);
    long first = key.take(START, 1).ticket();
    key.giveBack(START, 1, first);
    long second = key.take(START, 1).ticket();
    key.giveBack(START, 1, first);
    assertThat(second).isNotEqualTo(first);
    assertThat(key.ask(START, 0).remaining()).isZero();
  }

  @Test
  void concurrency_manyLeasesInOneMicrosecond_haveNamesOfTheirOwn() {
    PureKey key = key("3000 concurrent lease 1min", Algorithm.CONCURRENCY);
    long[] tickets = new long[3_000];
    for (int i = 0; i < tickets.length; i++) {
      tickets[i] = key.take(START, 1).ticket();
    }
    assertThat(tickets).doesNotHaveDuplicates();
    for (long ticket : tickets) {
      key.giveBack(START, 1, ticket);
    }
    assertThat(key.ask(START, 0).remaining()).isEqualTo(3_000);
  }

  /** The key is forgotten as soon as nothing is held, and its latest name with it. */
  @Test
  void concurrency_takenAndGivenBackAgainAndAgain_givesNoNameTwice() {
    SplittableRandom random = new SplittableRandom(/* seed= */ 42);
    for (long start : new long[] {START, 0, /* names begin anew */ ((1L << 39) - 3) * 1_000}) {
      PureKey key = key("4 concurrent lease 1s", Algorithm.CONCURRENCY);
      Set<Long> names = new HashSet<>();
      Deque<Long> held = new ArrayDeque<>();
      long now = start;
      int forgotten = 0;
      for (int i = 0; i < 20_000; i++) {
        now += random.nextInt(3) == 0 ? random.nextLong(5_000) : 0;
        forgotten += Long.parseLong(key.state().split(" ", 2)[0]) <= now ? 1 : 0;
        if (held.size() < 4 && random.nextBoolean()) {
          held.add(key.take(now, 1).ticket());
          assertThat(names.add(held.getLast())).isTrue();
        } else if (!held.isEmpty()) {
          key.giveBack(now, 1, held.remove());
        }
        assertThat(key.ask(now, 0).remaining()).isEqualTo(4 - held.size());
      }
      assertThat(forgotten).isGreaterThan(1_000);
    }
  }

  @Test
  void slidingCounter_ticketOfTwoWindowsAgo_givesNothingBack() {
    PureKey key = key("5/s", Algorithm.SLIDING_WINDOW_COUNTER);
    long old = key.take(START + SECOND / 2, 5).ticket();
    assertThat(key.take(START + 2 * SECOND - 1, 4).allowed()).isTrue();
    long now = START + 2 * SECOND;
    assertThat(key.ask(now, 0).remaining()).isEqualTo(1);
    key.giveBack(now, 5, old);
    assertThat(key.ask(now, 0).remaining()).isEqualTo(1);
  }

  @Test
  void slidingCounter_ticketOfTheWindowBefore_comesOutOfItsCount() {
    PureKey key = key("10/s", Algorithm.SLIDING_WINDOW_COUNTER);
    long ticket = key.take(START + SECOND / 2, 4).ticket();
    key.take(START + SECOND - 1, 6);
    long now = START + SECOND + SECOND / 2;
    assertThat(key.ask(now, 0).remaining()).isEqualTo(5);
    key.giveBack(now, 4, ticket);
    assertThat(key.ask(now, 0).remaining()).isEqualTo(7);
  }

  @Test
  void slidingCounter_windowsThatCoincideOnlyNow_fadeFromTheChange() {
    PureKey key = key("100/31day", Algorithm.SLIDING_WINDOW_COUNTER);
    long january = 5 * 86_400 * SECOND;
    key.take(january, 80);
    key.change(january, key.algorithm(), Limit.parse("100/month"));
    assertThat(key.ask(january, 0).remaining()).isEqualTo(20);
    assertThat(key.ask(20 * 86_400 * SECOND, 0).remaining()).isEqualTo(60);
  }

  @Test
  void leakyQueue_placeGivenUpInTheMiddle_isTheNextCallers() {
    PureKey key = key("1/s burst 5", Algorithm.LEAKY_QUEUE);
    key.take(START, 1);
    long second = key.take(START, 1).ticket();
    key.take(START, 1);
    key.giveBack(START, 1, second);
    assertThat(key.ask(START, 0).remaining()).isEqualTo(4);
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(SECOND);
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(3 * SECOND);
  }

  @Test
  void leakyQueue_aBillionPlacesGivenUp_isOneGap() {
    PureKey key = key("1000000000/s burst 2147483648", Algorithm.LEAKY_QUEUE);
    long ticket = key.take(START, 1_000_000_000).ticket();
    key.take(START, 1);
    key.giveBack(START, 1_000_000_000, ticket);
    assertThat(key.take(START, 1).waitNanos()).isZero();
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(1);
    assertThat(key.take(START + 500_000_000, 1).waitNanos()).isZero();
  }

  @Test
  void leakyQueue_refundBehindAGap_movesTheTailToItsStart() {
    PureKey key = key("1/s burst 10", Algorithm.LEAKY_QUEUE);
    key.take(START, 1);
    long four = key.take(START, 4).ticket();
    key.take(START, 1);
    key.giveBack(START, 4, four);
    key.giveBack(START, 1, /* ticket= */ 0);
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(SECOND);
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(2 * SECOND);
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(3 * SECOND);
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(4 * SECOND);
  }

  @Test
  void leakyQueue_fractionsOfANanosecond_neverGiveOnePlaceTwice() {
    PureKey key = key("700000000/s burst 1000", Algorithm.LEAKY_QUEUE);
    for (int round = 0; round < 200; round++) {
      long now = START + round;
      long first = key.take(now, 1).ticket();
      long second = key.take(now, 1).ticket();
      key.giveBack(now, 1, first);
      long third = key.take(now, 1).ticket();
      assertThat(third).isNotEqualTo(second);
    }
  }

  @Test
  void leakyQueue_twoPlacesGivenUp_areTakenByACostOfTwo() {
    PureKey key = key("1/s burst 3", Algorithm.LEAKY_QUEUE);
    key.take(START, 1);
    long two = key.take(START, 2).ticket();
    key.take(START, 1);
    key.giveBack(START, 2, two);
    assertThat(key.ask(START, 0).remaining()).isEqualTo(2);
    assertThat(key.ask(START, 3).retryAfterNanos()).as("both have passed").isEqualTo(3 * SECOND);
    assertThat(key.take(START, 2).waitNanos()).isEqualTo(SECOND);
    assertThat(key.take(START, 1).allowed()).isFalse();
  }

  @Test
  void leakyQueue_placesGivenUpHereAndThere_leaveRoomForAsManyBehindTheTail() {
    PureKey key = key("1/s burst 4", Algorithm.LEAKY_QUEUE);
    long[] places = new long[5];
    for (int i = 0; i < places.length; i++) {
      places[i] = key.take(START, 1).ticket();
    }
    key.giveBack(START, 1, places[1]);
    key.giveBack(START, 1, places[3]);
    assertThat(key.ask(START, 0).remaining()).isEqualTo(2);
    assertThat(key.ask(START, 3).allowed()).isFalse();
    assertThat(key.take(START, 2).waitNanos()).isEqualTo(5 * SECOND);
    assertThat(key.take(START, 1).allowed()).isFalse();
  }

  @Test
  void leakyQueue_neighboursGivenUp_becomeOneGapAndTheLastOnesTheTail() {
    PureKey key = key("1/s burst 9", Algorithm.LEAKY_QUEUE);
    long[] places = new long[6];
    for (int i = 0; i < places.length; i++) {
      places[i] = key.take(START, 1).ticket();
    }
    key.giveBack(START, 1, places[1]);
    key.giveBack(START, 1, places[3]);
    key.giveBack(START, 1, places[2]);
    assertThat(key.copy().take(START, 3).waitNanos()).isEqualTo(SECOND);
    key.giveBack(START, 1, places[4]);
    key.giveBack(START, 1, places[5]);
    assertThat(key.take(START, 9).waitNanos()).isEqualTo(SECOND);
  }

  @Test
  void leakyQueue_refundOverAGap_givesBackPlacesThatWereTaken() {
    PureKey key = key("1/s burst 9", Algorithm.LEAKY_QUEUE);
    key.take(START, 3);
    long gap = key.take(START, 1).ticket();
    key.take(START, 1);
    key.giveBack(START, 1, gap);
    assertThat(key.ask(START, 0).remaining()).isEqualTo(6);
    key.giveBack(START, 2, /* ticket= */ 0);
    assertThat(key.ask(START, 0).remaining()).isEqualTo(8);
  }

  @Test
  void leakyQueue_refundOverABillionFreePlaces_goesOverThemAtOnce() {
    PureKey key = key("1000000000/s burst 2147483648", Algorithm.LEAKY_QUEUE);
    key.take(START, 3);
    long ticket = key.take(START, 2_000_000_000).ticket();
    key.take(START, 1);
    key.giveBack(START, 2_000_000_000, ticket);
    key.giveBack(START, 2, /* ticket= */ 0);
    assertThat(key.take(START, 1).waitNanos()).isEqualTo(2);
  }

  @Test
  void leakyQueue_changeWithAGap_keepsIt() {
    for (String next : new String[] {"1/s burst 6", "2/s burst 6", "1/min burst 6"}) {
      PureKey key = key("1/s burst 5", Algorithm.LEAKY_QUEUE);
      key.take(START, 1);
      long middle = key.take(START, 3).ticket();
      key.take(START, 1);
      key.giveBack(START, 3, middle);
      assertThat(key.ask(START, 0).remaining()).isEqualTo(4);
      key.change(START, key.algorithm(), Limit.parse(next));
      assertThat(key.ask(START, 0).remaining()).as(next).isEqualTo(5);
      assertThat(key.take(START, 3).waitNanos()).isEqualTo(key.limit().unitNumerator());
      assertThat(key.take(START, 1).waitNanos()).isEqualTo(5 * key.limit().unitNumerator());
    }
  }

  @Test
  void leakyQueue_changeOfAlgorithm_countsOnlyPlacesThatAreTaken() {
    PureKey key = key("1/s burst 5", Algorithm.LEAKY_QUEUE);
    key.take(START, 1);
    long middle = key.take(START, 3).ticket();
    key.take(START, 1);
    key.giveBack(START, 3, middle);
    key.change(START, Algorithm.GCRA, Limit.parse("10/min"));
    assertThat(key.ask(START, 0).remaining()).isEqualTo(8);
  }
}
