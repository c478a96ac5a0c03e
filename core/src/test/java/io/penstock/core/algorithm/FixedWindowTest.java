package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.laws.PureKey;
import org.junit.jupiter.api.Test;

/** A window at its count and at its edges. */
class FixedWindowTest {
  private static final long SECOND = 1_000_000_000;
  private static final long HOUR = 3_600 * SECOND;

  /** Ten o'clock in the morning. */
  private static final long TEN = (20_522 * 24 + 10) * HOUR;

  private final PureKey key = new PureKey(Algorithm.FIXED_WINDOW, Limit.parse("10/hour"));

  private void change(long now, String limit) {
    key.change(now, key.algorithm(), Limit.parse(limit));
  }

  @Test
  void decide_atTheCount_isAllowedAndOneMoreIsNever() {
    assertThat(key.ask(TEN, 10).allowed()).isTrue();
    assertThat(key.ask(TEN, 11).never()).isTrue();
    assertThat(key.ask(TEN, 11).resetAfterNanos()).isZero();
    key.take(TEN, 1);
    Step denied = key.ask(TEN + 1, 10);
    assertThat(denied.never()).isFalse();
    assertThat(denied.retryAfterNanos()).isEqualTo(HOUR - 1);
    assertThat(denied.resetAfterNanos()).isEqualTo(HOUR - 1);
    assertThat(key.ask(TEN + 1, 11).resetAfterNanos()).isEqualTo(HOUR - 1);
  }

  @Test
  void decide_lastNanosecond_countsAndTheNextDoesNot() {
    key.take(TEN, 4);
    assertThat(key.ask(TEN + HOUR - 1, 0).remaining()).isEqualTo(6);
    assertThat(key.ask(TEN + HOUR - 1, 0).resetAfterNanos()).isEqualTo(1);
    assertThat(key.ask(TEN + HOUR, 0).remaining()).isEqualTo(10);
    assertThat(key.ask(TEN + HOUR, 0).resetAfterNanos()).isZero();
  }

  /** Ninety minutes begin at half past ten: what was taken since then counts until noon. */
  @Test
  void change_afterATakeThatCameLate_knowsWhenTheLatestWas() {
    key.take(TEN + 35 * HOUR / 60, 4);
    key.take(TEN + 20 * HOUR / 60, 1);
    change(TEN + 40 * HOUR / 60, "10/90min");
    assertThat(key.ask(TEN + 90 * HOUR / 60, 0).remaining()).isEqualTo(5);
  }

  @Test
  void giveBack_all_isTheEmptyState() {
    key.take(TEN, 4);
    key.giveBack(TEN, 3, /* ticket= */ 0);
    assertThat(key.ask(TEN, 0).remaining()).isEqualTo(9);
    key.giveBack(TEN, 1, /* ticket= */ 0);
    assertThat(key.ask(TEN, 0).resetAfterNanos()).isZero();
    assertThat(key.state()).startsWith("0 0");
  }

  @Test
  void giveBack_moreThanWasTaken_isFullAndNotMore() {
    key.take(TEN, 4);
    key.giveBack(TEN, 5, /* ticket= */ 0);
    assertThat(key.ask(TEN, 0).remaining()).isEqualTo(10);
  }

  @Test
  void giveBack_ticketOfTheWindowBefore_givesNothing() {
    long old = key.take(TEN - 1, 4).ticket();
    key.take(TEN, 4);
    key.giveBack(TEN, 4, old);
    assertThat(key.ask(TEN, 0).remaining()).isEqualTo(6);
    key.giveBack(TEN, 4, TEN);
    assertThat(key.ask(TEN, 0).remaining()).isEqualTo(10);
  }

  @Test
  void change_takenInTheNewWindow_endsWithIt() {
    key.take(TEN, 8);
    change(TEN + 1, "10/2hour");
    assertThat(key.ask(TEN + 2 * HOUR - 1, 0).remaining()).isEqualTo(2);
    assertThat(key.ask(TEN + 2 * HOUR, 0).remaining()).isEqualTo(10);
  }

  @Test
  void change_takenBeforeTheNewWindowBegan_endsWithTheFirstOfBoth() {
    change(TEN, "10/day");
    key.take(TEN - 1, 8);
    change(TEN, "10/hour");
    assertThat(key.ask(TEN + HOUR - 1, 0).remaining()).isEqualTo(2);
    change(TEN + 1, "10/2hour");
    assertThat(key.ask(TEN + 1, 3).retryAfterNanos()).isEqualTo(HOUR - 1);
    assertThat(key.ask(TEN + HOUR - 1, 0).remaining()).isEqualTo(2);
    assertThat(key.ask(TEN + HOUR, 0).remaining()).isEqualTo(10);
  }

  @Test
  void change_lowerThanWhatIsUsed_leavesNothingUntilTheEnd() {
    key.take(TEN, 8);
    change(TEN, "3/hour");
    Step denied = key.ask(TEN, 1);
    assertThat(denied.remaining()).isZero();
    assertThat(denied.retryAfterNanos()).isEqualTo(HOUR);
    change(TEN, "10/hour");
    assertThat(key.ask(TEN, 0).remaining()).isEqualTo(2);
  }

  @Test
  void carry_partsOfUnits_areRoundedUp() {
    Step step = new Step();
    step.used(/* whole= */ 2, /* part= */ 1, /* of= */ 9);
    new FixedWindow().carry(step, key.limit(), TEN + 5);
    assertThat(step.x).isEqualTo(3);
    assertThat(step.y).isEqualTo(TEN + 5);
    assertThat(step.until).isEqualTo(TEN + HOUR);
    step.used(/* whole= */ 0, /* part= */ 0, /* of= */ 1);
    new FixedWindow().carry(step, key.limit(), TEN + 5);
    assertThat(step.y).isZero();
    assertThat(step.until).isZero();
  }

  @Test
  void used_lastNanosecond_isTheCountAndThenNothing() {
    Step step = new Step();
    step.x = 4;
    step.until = TEN + HOUR;
    new FixedWindow().used(step, key.limit(), TEN + HOUR - 1);
    assertThat(step.usedCeil()).isEqualTo(4);
    new FixedWindow().used(step, key.limit(), TEN + HOUR);
    assertThat(step.usedCeil()).isZero();
  }
}
