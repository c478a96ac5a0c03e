package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.Reservation;
import io.penstock.core.Step;
import io.penstock.core.laws.PureKey;
import org.junit.jupiter.api.Test;

/** A log at its count, at the end of its entries, and while its window narrows. */
class SlidingWindowLogTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long START = 29_552_430 * MINUTE;

  private final PureKey key = new PureKey(Algorithm.SLIDING_WINDOW_LOG, Limit.parse("3/s"));

  private void change(long now, String limit) {
    key.change(now, key.algorithm(), Limit.parse(limit));
  }

  private long left(long now) {
    return key.ask(now, 0).remaining();
  }

  @Test
  void decide_atTheCount_isAllowedAndOneMoreIsNever() {
    assertThat(key.ask(START, 3).allowed()).isTrue();
    Step never = key.ask(START, 4);
    assertThat(never.never()).isTrue();
    assertThat(never.resetAfterNanos()).isZero();
    key.take(START, 1);
    assertThat(key.ask(START, 3).never()).isFalse();
    assertThat(key.ask(START + 1, 3).retryAfterNanos()).isEqualTo(SECOND - 1);
  }

  @Test
  void decide_entryOfAWholePeriod_noLongerCounts() {
    key.take(START, 1);
    key.take(START + 5, 2);
    assertThat(left(START + SECOND - 1)).isZero();
    assertThat(left(START + SECOND)).isEqualTo(1);
    assertThat(left(START + SECOND + 4)).isEqualTo(1);
    assertThat(left(START + SECOND + 5)).isEqualTo(3);
  }

  @Test
  void decide_denied_waitsForTheOldestEntriesThatAreEnough() {
    key.take(START, 1);
    key.take(START + 5, 1);
    key.take(START + 9, 1);
    assertThat(key.ask(START + 9, 1).retryAfterNanos()).isEqualTo(SECOND - 9);
    assertThat(key.ask(START + 9, 2).retryAfterNanos()).isEqualTo(SECOND - 4);
    assertThat(key.ask(START + 9, 3).retryAfterNanos()).isEqualTo(SECOND);
  }

  @Test
  void decide_sameInstant_sharesAnEntry() {
    key.take(START, 1);
    key.take(START, 1);
    key.take(START + 1, 1);
    assertThat(key.state())
        .isEqualTo((START + 1 + SECOND) + " 3 0 (" + START + " 2) (" + (START + 1) + " 1)");
  }

  @Test
  void charge_intoAsManyEntriesAsTheCount_joinsTheNewest() {
    for (int i = 0; i < 3; i++) {
      key.take(START + i, 1);
    }
    key.charge(START + 3, 4);
    assertThat(key.state()).endsWith("(" + (START + 1) + " 1) (" + (START + 3) + " 5)");
    assertThat(left(START + SECOND + 2)).isZero();
  }

  @Test
  void giveBack_ticket_comesOutOfItsEntryOnly() {
    long first = key.take(START, 2).ticket();
    key.take(START + 1, 1);
    key.giveBack(START + 1, 1, first);
    assertThat(key.state()).endsWith(" 2 0 (" + START + " 1) (" + (START + 1) + " 1)");
    key.giveBack(START + 1, 5, first);
    assertThat(key.state()).endsWith(" 1 0 (" + (START + 1) + " 1)");
    key.giveBack(START + 1, 1, first);
    assertThat(left(START + 1)).isEqualTo(2);
  }

  @Test
  void giveBack_withoutTicket_comesOutOfTheNewestEntries() {
    key.take(START, 2);
    key.take(START + 1, 1);
    key.giveBack(START + 1, 2, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo((START + SECOND) + " 1 0 (" + START + " 1)");
    key.giveBack(START + 1, 9, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo("0 0 0");
  }

  @Test
  void change_shorterPeriod_narrowsTheWindowEvenly() {
    change(START, "3/min");
    key.take(START, 1);
    key.take(START + 30 * SECOND, 1);
    long now = START + 30 * SECOND;
    change(now, "3/s");
    assertThat(left(now)).isEqualTo(1);
    assertThat(key.ask(now, 2).retryAfterNanos()).isEqualTo(SECOND / 2);
    assertThat(left(now + SECOND / 2 - 1)).isEqualTo(1);
    assertThat(left(now + SECOND / 2)).isEqualTo(2);
    assertThat(left(now + SECOND - 1)).isEqualTo(2);
    assertThat(left(now + SECOND)).isEqualTo(3);
  }

  @Test
  void change_whileItNarrows_goesOnFromTheWindowItHas() {
    change(START, "3/min");
    key.take(START, 1);
    change(START, "3/2s");
    long now = START + SECOND;
    assertThat(key.ask(now, 0).resetAfterNanos()).isEqualTo(SECOND);
    change(now, "3/s");
    assertThat(left(now)).isEqualTo(2);
    assertThat(key.state()).contains("(" + now + " -" + (31 * SECOND) + ")");
  }

  @Test
  void change_narrowedAndTheOldestGone_keepsHowItNarrows() {
    change(START, "3/min");
    key.take(START, 1);
    key.take(START + 30 * SECOND, 1);
    long now = START + 30 * SECOND;
    change(now, "3/s");
    key.take(now + SECOND / 2, 1);
    assertThat(key.state())
        .endsWith(
            " 2 0 (%d -%d) (%d 1) (%d 1)"
                .formatted(now, MINUTE, START + 30 * SECOND, now + SECOND / 2));
    assertThat(left(now + SECOND)).isEqualTo(2);
    key.take(now + SECOND, 1);
    assertThat(key.state())
        .as("narrow enough")
        .endsWith(" 2 0 (%d 1) (%d 1)".formatted(now + SECOND / 2, now + SECOND));
  }

  @Test
  void change_longerOrSamePeriod_keepsTheTimes() {
    key.take(START, 2);
    change(START + 1, "5/s");
    assertThat(key.state()).isEqualTo((START + SECOND) + " 2 0 (" + START + " 2)");
    change(START + 1, "5/min");
    assertThat(key.state()).isEqualTo((START + MINUTE) + " 2 0 (" + START + " 2)");
  }

  @Test
  void carry_usedUnits_areOneEntryOfNow() {
    key.change(START, Algorithm.GCRA, Limit.parse("10/min"));
    key.take(START, 2);
    key.change(START, Algorithm.SLIDING_WINDOW_LOG, Limit.parse("3/s"));
    assertThat(key.state()).isEqualTo((START + SECOND) + " 2 0 (" + START + " 2)");
    key.giveBack(START, 2, /* ticket= */ 0);
    key.change(START, Algorithm.GCRA, Limit.parse("10/min"));
    key.change(START, Algorithm.SLIDING_WINDOW_LOG, Limit.parse("3/s"));
    assertThat(key.state()).isEqualTo("0 0 0");
  }

  @Test
  void carry_stateOfBefore_isForgotten() {
    Step step = new Step();
    step.log().append(START, 3);
    step.used(/* whole= */ 1, /* part= */ 1, /* of= */ 2);
    new SlidingWindowLog().carry(step, key.limit(), START + 1);
    assertThat(step.log().size()).isEqualTo(1);
    assertThat(step.log().amount(0)).isEqualTo(2);
    assertThat(step.log().time(0)).isEqualTo(START + 1);
  }

  @Test
  void commit_moreThanALongHolds_isForgottenWithoutATrace() {
    long[] now = {1_767_225_600_000_000_000L};
    Policy policy = Policy.parse("10/s").withAlgorithm(Algorithm.SLIDING_WINDOW_LOG);
    MemoryLimiter limiter = Limiter.builder().policy(policy).clock(() -> now[0]).build();
    limiter.tryAcquire("a", 3);
    Reservation most = limiter.reserve("a", 1);
    Reservation more = limiter.reserve("a", 1);
    now[0] += 1_000;
    most.commit(Long.MAX_VALUE);
    now[0] += 500_000_000;
    more.commit(3);
    now[0] += 500_000_000;
    assertThat(limiter.peek("a").remaining()).isBetween(0L, 10L);
    now[0] += 500_000_000;
    assertThat(limiter.peek("a").remaining()).isEqualTo(10);
    assertThat(limiter.tryAcquire("a", 10).allowed()).isTrue();
    assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
  }
}
