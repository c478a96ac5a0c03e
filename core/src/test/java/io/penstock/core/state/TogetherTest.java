package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** What turns leave behind. */
class TogetherTest {
  private static final long NOW = 1_000_000_000_000L;

  private final Together turns = new Together();

  @Test
  void isPlayed_tableOfOneTurnIsDropped_isNotKept() {
    WeakReference<StateTable> table = new WeakReference<>(tableWithTurns(1));
    assertThat(turns.isPlayed()).isTrue();
    assertIsDropped(table);
  }

  @Test
  void isPlayed_tableOfSeveralTurnsIsDropped_isNotKept() {
    WeakReference<StateTable> table = new WeakReference<>(tableWithTurns(7));
    assertThat(turns.isPlayed()).isTrue();
    assertIsDropped(table);
  }

  private StateTable tableWithTurns(int count) {
    Rules rules = new Rules();
    StateTable table = StateTable.of(rules, /* bytesMax= */ 1 << 20);
    Rule rule = rules.add(Limit.parse("10/s"), Algorithm.GCRA, /* slot= */ 0, NOW);
    for (int i = 1; i <= count; i++) {
      turns.add(table).of(i, rule, NOW).asks(Ask.TAKE, 1, /* ticket= */ 0);
    }
    return table;
  }

  private void assertIsDropped(WeakReference<StateTable> table) {
    for (int i = 0; i < 20 && table.get() != null; i++) {
      System.gc();
    }
    assertThat(table.get()).isNull();
    assertThat(turns.turn(0).step().allowed()).isTrue();
  }

  /** The log is written as it is given back, so that must not begin before all rules are known. */
  @Test
  void isPlayed_secondRuleOutdated_givesNothingBackToTheFirst() {
    Rules rules = new Rules();
    StateTable table = StateTable.of(rules, /* bytesMax= */ 1 << 20);
    Rule log = rules.add(Limit.parse("9/day"), Algorithm.SLIDING_WINDOW_LOG, /* slot= */ 0, NOW);
    Rule over = rules.add(Limit.parse("9/hour"), Algorithm.GCRA, /* slot= */ 1, NOW);
    turns.add(table).of(1, log, NOW).asks(Ask.TAKE, 5, /* ticket= */ 0);
    turns.add(table).of(2, over, NOW).asks(Ask.TAKE, 5, /* ticket= */ 0);
    assertThat(turns.isPlayed() && turns.allowed()).isTrue();
    over.endsAt(NOW, null);
    turns.clear();
    turns.add(table).of(1, log, NOW).asks(Ask.GIVE_BACK, 3, /* ticket= */ 0);
    turns.add(table).of(2, over, NOW).asks(Ask.GIVE_BACK, 3, /* ticket= */ 0);
    assertThat(turns.isPlayed()).isFalse();
    turns.clear();
    turns.add(table).of(1, log, NOW).asks(Ask.TAKE, 0, /* ticket= */ 0);
    assertThat(turns.isPlayed()).isTrue();
    assertThat(turns.turn(0).step().remaining()).isEqualTo(4);
  }
}
