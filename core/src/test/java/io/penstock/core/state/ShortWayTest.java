package io.penstock.core.state;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Who may go the short way goes it; {@link Drive} checks that it leads to the same. */
class ShortWayTest {
  private static final long START = 1_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final int KEYS = 20_000;

  private final Rules rules = new Rules();
  private final StateTable table = StateTable.of(rules, /* bytesMax= */ 1 << 22);
  private final ShortWay shortWay = requireNonNull(table.shortWay());
  private final Rule rule = rule("3/3s");
  private final long[] keys = new SplittableRandom(1).longs(KEYS).toArray();

  private Rule rule(String limit) {
    return rules.add(Limit.parse(limit), Algorithm.GCRA, /* slot= */ 0, START);
  }

  private void fill(Rule under) {
    for (long key : keys) {
      table.play(new Turn().of(key, under, START).asks(Ask.TAKE, 1, /* ticket= */ 0));
    }
  }

  @Test
  void take_everyKeyOfAFullTable_isDecided() {
    fill(rule);
    for (long key : keys) {
      assertThat(shortWay.take(key, rule, START, 2)).isEqualTo(START + 3 * SECOND);
      assertThat(shortWay.takeOne(key, rule, () -> START)).isEqualTo(-SECOND);
      assertThat(shortWay.takeOne(key, rule, () -> START + SECOND)).isEqualTo(START + 4 * SECOND);
    }
  }

  @Test
  void take_wideStatesInTheTable_isDecided() {
    Turn wide = new Turn().of(/* hash= */ 1, rule("3000/s"), START);
    table.play(wide.asks(Ask.TAKE, 1, /* ticket= */ 0));
    fill(rule);
    for (long key : keys) {
      assertThat(shortWay.take(key, rule, START, 2)).isEqualTo(START + 3 * SECOND);
    }
  }

  @Test
  void take_absentOrUnderAnotherRule_isUnusual() {
    assertThat(shortWay.take(keys[0], rule, START, 1)).isEqualTo(ShortWay.UNUSUAL);
    fill(rule("5/s"));
    assertThat(shortWay.take(keys[0], rule, START, 1)).isEqualTo(ShortWay.UNUSUAL);
  }

  @Test
  void takeOne_clockBehindTheRule_isDecidedAtItsBeginning() {
    fill(rule);
    assertThat(shortWay.takeOne(keys[0], rule, () -> 0)).isEqualTo(START + 2 * SECOND);
  }

  /** A batch with runs of one key answers as if each were taken by itself. */
  @Test
  void takeAll_keysInRuns_isDecidedOneAfterTheOther() {
    SplittableRandom random = Trial.random("takeAll");
    StateTable single = StateTable.of(rules, /* bytesMax= */ 1 << 22);
    ShortWay singly = requireNonNull(single.shortWay());
    for (int key = 0; key < 8; key++) {
      table.play(new Turn().of(keys[key], rule, START).asks(Ask.TAKE, 1, /* ticket= */ 0));
      single.play(new Turn().of(keys[key], rule, START).asks(Ask.TAKE, 1, /* ticket= */ 0));
    }
    Takes takes = new Takes(/* capacity= */ 1);
    for (int round = 0; round < 2_000; round++) {
      long now = START + round * SECOND / 10;
      takes.clear();
      takes.at(now);
      while (takes.size() < 24) {
        takes.add(
            random.nextInt(3) > 0 && takes.size() > 0 ? last(takes) : key(random),
            1 + random.nextInt(2));
      }
      assertThat(shortWay.takeAll(takes, /* from= */ 0, rule)).isEqualTo(24);
      for (int i = 0; i < takes.size(); i++) {
        assertThat(takes.outcome(i))
            .isEqualTo(singly.take(takes.hash(i), rule, now, takes.cost(i)));
      }
    }
  }

  private long key(SplittableRandom random) {
    return keys[random.nextInt(8)];
  }

  private static long last(Takes takes) {
    return takes.hash(takes.size() - 1);
  }

  @Test
  void takeAll_whatCannotGoTheShortWay_endsIt() {
    fill(rule);
    Takes takes = new Takes(/* capacity= */ 8);
    takes.at(START);
    takes.add(keys[0], 1);
    takes.add(keys[0], 0);
    takes.add(keys[0], 4);
    takes.add(/* hash= */ 7, 1);
    takes.add(keys[1], 1);
    assertThat(shortWay.takeAll(takes, 0, rule)).as("a look").isEqualTo(1);
    assertThat(shortWay.takeAll(takes, 2, rule)).as("above the capacity").isEqualTo(2);
    assertThat(shortWay.takeAll(takes, 3, rule)).as("a new key").isEqualTo(3);
    assertThat(shortWay.takeAll(takes, 4, rule)).isEqualTo(5);
  }
}
