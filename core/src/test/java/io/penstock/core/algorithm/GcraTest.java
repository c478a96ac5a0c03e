package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.laws.PureKey;
import org.junit.jupiter.api.Test;

/** A bucket at full and at empty, with whole intervals and with fractions of a nanosecond. */
class GcraTest {
  private static final long NOW = 1_773_145_800_000_000_000L;
  private static final long MILLI = 1_000_000;

  private static PureKey key(String limit) {
    return new PureKey(Algorithm.GCRA, Limit.parse(limit));
  }

  @Test
  void decide_atTheCapacity_isAllowedAndOneMoreIsNever() {
    PureKey key = key("10/s");
    assertThat(key.ask(NOW, 10).allowed()).isTrue();
    assertThat(key.ask(NOW, 11).never()).isTrue();
    key.take(NOW, 1);
    assertThat(key.ask(NOW, 9).allowed()).isTrue();
    assertThat(key.ask(NOW, 10).retryAfterNanos()).isEqualTo(100 * MILLI);
    assertThat(key.ask(NOW + 100 * MILLI - 1, 10).retryAfterNanos()).isEqualTo(1);
    assertThat(key.ask(NOW + 100 * MILLI, 10).allowed()).isTrue();
  }

  @Test
  void next_theSameWithoutAStep_isTheTatOrMinusTheWait() {
    assertThat(Gcra.next(/* tat= */ 0, 10, NOW, 10)).as("idle, all").isEqualTo(NOW + 10);
    assertThat(Gcra.next(/* tat= */ 0, 10, NOW, 12)).as("idle, too much").isEqualTo(-2);
    assertThat(Gcra.next(NOW + 4, 10, NOW, 6)).as("all that is left").isEqualTo(NOW + 10);
    assertThat(Gcra.next(NOW + 4, 10, NOW, 7)).as("one too many").isEqualTo(-1);
  }

  @Test
  void giveBack_toExactlyFull_isTheEmptyState() {
    for (String limit : new String[] {"10/s", "3000/s", "300000000/s"}) {
      PureKey key = key(limit);
      key.take(NOW, 3);
      key.giveBack(NOW, 2, /* ticket= */ 0);
      assertThat(key.ask(NOW, 0).remaining()).as(limit).isEqualTo(key.limit().count() - 1);
      key.giveBack(NOW, 1, /* ticket= */ 0);
      assertThat(key.state()).as(limit).isEqualTo("0 0 0");
    }
  }

  @Test
  void giveBack_whatCameBackByItself_changesNothing() {
    PureKey key = key("10/s");
    long ticket = key.take(NOW, 1).ticket();
    key.take(NOW, 4);
    String before = key.state();
    key.giveBack(NOW + 100 * MILLI, 1, ticket);
    assertThat(key.state()).isEqualTo(before);
    key.giveBack(NOW + 100 * MILLI, 2, ticket);
    assertThat(key.ask(NOW + 100 * MILLI, 0).remaining()).isEqualTo(7);
  }

  /** 333,333⅓ ns each: the state says which third it is at. */
  @Test
  void take_thirdsOfANanosecond_areKept() {
    PureKey key = key("3000/s");
    key.take(NOW, 1);
    assertThat(key.state()).isEqualTo((NOW + 333_334) + " 2 0");
    key.take(NOW, 1);
    assertThat(key.state()).isEqualTo((NOW + 666_667) + " 1 0");
    key.take(NOW, 1);
    assertThat(key.state()).isEqualTo((NOW + MILLI) + " 0 0");
    key.giveBack(NOW, 2, /* ticket= */ 0);
    assertThat(key.state()).isEqualTo((NOW + 333_334) + " 2 0");
  }

  @Test
  void giveBack_aFractionBeforeNow_leavesNoRest() {
    PureKey key = key("3000/s");
    key.take(NOW, 1);
    key.giveBack(NOW, 2, NOW - 333_333);
    assertThat(key.state()).isEqualTo("0 0 0");
  }

  @Test
  void change_ofThirds_keepsTheUsedUnits() {
    PureKey key = key("3000/s");
    key.take(NOW, 2);
    key.change(NOW, Algorithm.GCRA, Limit.parse("1000/s"));
    assertThat(key.state()).isEqualTo((NOW + 2 * MILLI) + " 0 0");
    key.change(NOW, Algorithm.GCRA, Limit.parse("3000/s"));
    assertThat(key.state()).isEqualTo((NOW + 666_667) + " 1 0");
  }

  @Test
  void charge_beyondTheLongestDebt_isKeptAsUnits() {
    for (String limit : new String[] {"10/s", "3000/s"}) {
      PureKey key = key(limit);
      key.charge(NOW, 1L << 56);
      assertThat(key.state()).as(limit).isEqualTo(Arrears.until(1L << 56) + " 0 0");
      key.charge(NOW, 1);
      assertThat(key.state()).as(limit).isEqualTo(Arrears.until((1L << 56) + 1) + " 0 0");
      key.charge(NOW, Long.MAX_VALUE);
      assertThat(key.state()).as(limit).isEqualTo(Long.MAX_VALUE + " 0 0");
      key.change(NOW, Algorithm.GCRA, Limit.parse("1/min"));
      assertThat(key.state()).as(limit).isEqualTo(Long.MAX_VALUE + " 0 0");
    }
  }

  @Test
  void arrears_whateverIsAsked_areDeniedAndStandStill() {
    PureKey key = key("100/s");
    key.take(NOW, 100);
    key.change(NOW, Algorithm.GCRA, Limit.parse("1/year"));
    key.change(NOW, Algorithm.GCRA, Limit.parse("100/year"));
    assertThat(key.take(NOW, 1).retryAfterNanos())
        .isEqualTo(Limit.parse("1/year").periodNanos() / 100);
    key.change(NOW, Algorithm.GCRA, Limit.parse("1/year"));
    Step denied = key.take(Arrears.LATEST, 1);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfterNanos()).isEqualTo(Wide.MAX);
    assertThat(denied.resetAfterNanos()).isEqualTo(Wide.MAX);
    assertThat(key.take(NOW, 2).never()).isTrue();
    assertThat(key.take(NOW, 0).allowed()).isTrue();
    key.giveBack(NOW, 40, 0);
    key.change(NOW, Algorithm.GCRA, Limit.parse("100/s"));
    assertThat(key.take(NOW, 0).remaining()).isEqualTo(40);
  }

  @Test
  void next_ofArrears_isTheLongestWaitFromAnyInstant() {
    for (long now : new long[] {0, NOW, Arrears.LATEST}) {
      assertThat(Gcra.next(Arrears.until(100), Wide.MAX - 1, now, Wide.MAX - 1))
          .isEqualTo(-Wide.MAX);
      assertThat(Gcra.next(Long.MAX_VALUE, 10, now, 1)).isEqualTo(-Wide.MAX);
      assertThat(Gcra.next(Arrears.until(1), Wide.MAX - 1, now, 1)).isEqualTo(-Wide.MAX);
    }
  }

  @Test
  void carry_moreThanTheLongestDebt_hasNoRest() {
    Step step = new Step();
    step.used(Long.MAX_VALUE, /* part= */ 0, /* of= */ 1);
    new Gcra("gcra").carry(step, Limit.parse("3000/s"), NOW);
    assertThat(step.until).isEqualTo(Long.MAX_VALUE);
    assertThat(step.x).isZero();
  }
}
