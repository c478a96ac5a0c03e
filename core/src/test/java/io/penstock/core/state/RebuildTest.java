package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.OwnWindow;
import io.penstock.core.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is held for a turn or used by a key is not free for others, although it looks idle. */
class RebuildTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long HOUR = 3_600_000_000_000L;
  private static final long KEY = 0x1234_5678_9abc_def0L;
  private static final long NEIGHBOUR = KEY ^ 1L << 60;
  private static final long FAR = KEY ^ 1L << 51;

  private final Rules rules = new Rules();
  private final StateTable table = StateTable.of(rules, 1 << 20);

  /** Whoever changes the policy ends rules while others are in the middle of a check. */
  @Test
  void gather_slotHeldForATurnWhoseRuleHasJustEnded_isKept() {
    Limit limit = Limit.parse("5/min");
    Rule rule = rules.add(limit, Algorithm.FIXED_WINDOW, /* slot= */ 0, START);
    Turn turn = new Turn().of(KEY, rule, START + 1).asks(1);
    int stripe = table.stripe(KEY);
    table.lock(stripe);
    table.load(turn);
    turn.play();
    assertThat(table.reserve(turn)).isTrue();
    rule.endsAt(
        START + 1, rules.add(limit, Algorithm.SLIDING_WINDOW_COUNTER, /* slot= */ 0, START + 1));
    Rebuild rebuild = new Rebuild(table.cells());
    rebuild.gather(stripe, table.cells().stripes().pageCount(stripe), START + 1);
    assertThat(rebuild.slots()).isEqualTo(2);
    table.unlock(stripe);
  }

  /** Under the limit that all share it would be idle by now; under its own it is not. */
  @Test
  void isPlayed_slotOfOneKeyLooksIdleToAnother_isNotTaken() {
    for (Algorithm law : new Algorithm[] {Algorithm.GCRA, Algorithm.SLIDING_WINDOW_LOG}) {
      Rule shared = rules.shared(Limit.parse("10/s"), law);
      Rule own = rules.add(Limit.parse("20/day"), law, /* slot= */ 0, START + 1);
      own.after(shared);
      Together turns = new Together();
      turns.add(table).of(KEY, shared, START).asks(10);
      assertThat(turns.isPlayed() && turns.allowed()).isTrue();
      turns.clear();
      turns.add(table).of(KEY, own, START + HOUR).asks(1);
      turns.add(table).of(NEIGHBOUR, own, START + HOUR).asks(1);
      assertThat(turns.isPlayed() && turns.allowed()).isTrue();
      assertThat(turns.turn(0).step().remaining()).isEqualTo(9);
      assertThat(turns.turn(1).step().remaining()).isEqualTo(19);
      turns.clear();
      turns.add(table).of(KEY, own, START + HOUR).asks(Turn.Ask.RESET, 0, 0);
      turns.add(table).of(NEIGHBOUR, own, START + HOUR).asks(Turn.Ask.RESET, 0, 0);
      assertThat(turns.isPlayed()).isTrue();
      new Inside(table).check();
    }
  }

  private static final Algorithm[][] KINDS = {
    {Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_LOG},
    {Algorithm.SLIDING_WINDOW_LOG, Algorithm.FIXED_WINDOW},
    {Algorithm.GCRA, Algorithm.FIXED_WINDOW},
    {Algorithm.GCRA, Algorithm.SLIDING_WINDOW_LOG},
    {Algorithm.FIXED_WINDOW, Algorithm.GCRA},
  };

  /**
   * The state needs a slot of another kind, and its own looks idle: it is the first to be found.
   */
  @Test
  void load_slotOfAnotherKindLooksIdle_isMovedAndNotTaken() {
    for (Algorithm[] kinds : KINDS) {
      StateTable fresh = StateTable.of(rules, 1 << 20);
      Rule shared = rules.shared(Limit.parse("10/s"), kinds[0]);
      Rule own = rules.add(Limit.parse("20/day"), kinds[1], /* slot= */ 0, START + 1);
      own.after(shared);
      Turn turn = new Turn();
      fresh.play(turn.of(KEY, shared, START).asks(10));
      fresh.play(turn.of(KEY, own, START + HOUR).asks(1));
      assertThat(turn.step().remaining())
          .as(kinds[0].name() + " to " + kinds[1].name())
          .isEqualTo(9);
      new Inside(fresh).check();
    }
  }

  @Test
  void isPlayed_slotsOfAnotherKindLookIdle_noneIsTaken() {
    for (Algorithm[] kinds : KINDS) {
      StateTable fresh = StateTable.of(rules, 1 << 20);
      Rule shared = rules.shared(Limit.parse("10/s"), kinds[0]);
      Rule own = rules.add(Limit.parse("20/day"), kinds[1], /* slot= */ 0, START + 1);
      own.after(shared);
      for (long now = START; now <= START + HOUR; now += HOUR) {
        Together turns = new Together();
        turns.add(fresh).of(KEY, now == START ? shared : own, now).asks(5);
        turns.add(fresh).of(FAR, now == START ? shared : own, now).asks(5);
        assertThat(turns.isPlayed() && turns.allowed()).isTrue();
        for (int i = 0; i < 2; i++) {
          long left = turns.turn(i).step().remaining();
          assertThat(left)
              .as(kinds[0].name() + " to " + kinds[1].name())
              .isEqualTo(now == START ? 5 : 10);
        }
      }
      new Inside(fresh).check();
    }
  }

  /** A stripe that is written anew for a slot of another kind keeps the one that this replaces. */
  @Test
  void load_stripeIsWrittenAnewForAnotherKind_stateIsMoved() {
    Rule shared = rules.shared(Limit.parse("10/s"), Algorithm.GCRA);
    for (Algorithm law : new Algorithm[] {Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_LOG}) {
      StateTable small = StateTable.of(rules, 64 << 10);
      Rule own = rules.add(Limit.parse("20/day"), law, /* slot= */ 0, START + 1);
      own.after(shared);
      Turn turn = new Turn();
      small.play(turn.of(KEY, shared, START).asks(10));
      for (long i = 1; !turn.isFull(); i++) {
        small.play(turn.of(i * 0x9E37_79B9_7F4A_7C15L, shared, START).asks(10));
      }
      small.play(turn.of(KEY, own, START + HOUR).asks(1));
      assertThat(turn.step().remaining()).as(law.name()).isEqualTo(9);
      new Inside(small).check();
    }
  }

  @Test
  void load_noRoomForAnotherKind_stateStaysAsItWas() {
    StateTable small = StateTable.of(rules, 64 << 10);
    Rule shared = rules.shared(Limit.parse("10/s"), Algorithm.GCRA);
    Rule lasting = rules.add(Limit.parse("10/day"), Algorithm.GCRA, /* slot= */ 0, START);
    Rule own = rules.add(Limit.parse("20/day"), Algorithm.FIXED_WINDOW, /* slot= */ 0, START + 1);
    Turn turn = new Turn();
    small.play(turn.of(KEY, shared, START).asks(10));
    for (long i = 1; i < 10_000; i++) {
      small.play(turn.of(i * 0x9E37_79B9_7F4A_7C15L, lasting, START).asks(10));
    }
    small.play(turn.of(KEY, own, START + HOUR).asks(1));
    assertThat(turn.isFull()).isTrue();
    small.play(turn.of(KEY, shared, START + HOUR).asks(0));
    assertThat(turn.step().remaining()).isEqualTo(10);
    new Inside(small).check();
  }

  /** What is forgotten needs no slot of the other kind, and a journal hears of it. */
  @Test
  void reset_noRoomForAnotherKind_slotIsFree() {
    for (StateTable small : new StateTable[] {tracked(), StateTable.of(rules, 64 << 10)}) {
      Rule before = rules.add(Limit.parse("10/day"), Algorithm.GCRA, /* slot= */ 0, START);
      Turn turn = new Turn();
      for (long i = 0; i < 40_000; i++) {
        small.play(turn.of(KEY + i * 0x9E37_79B9_7F4A_7C15L, before, START).asks(10));
      }
      Rule own = rules.add(Limit.parse("5/day"), Algorithm.FIXED_WINDOW, 0, START + 1);
      before.endsAt(START + 1, own);
      if (small.cells().changes() != null) {
        small.tracked().forgetChanges();
      }
      small.play(turn.of(KEY, own, START + 1).asks(Turn.Ask.RESET, 0, 0));
      assertThat(turn.isFull()).isFalse();
      assertThat(turn.hadState()).isTrue();
      assertThat(turn.step().remaining()).isEqualTo(5);
      assertThat(new Inside(small).find(KEY)).isEqualTo(Pages.NOWHERE);
      new Inside(small).check();
      if (small.cells().changes() != null) {
        assertThat(changed(small)).containsExactly(0L);
      }
    }
  }

  private StateTable tracked() {
    return StateTable.tracked(rules, 64 << 10, /* stripes= */ 16);
  }

  /** Until when the changed states say that they are used. */
  private static List<Long> changed(StateTable table) {
    List<Long> untils = new ArrayList<>();
    table.tracked().cut();
    table.tracked().drainChanges((hash, rule, words, from, length) -> untils.add(words[from]));
    return untils;
  }

  /** Whoever looks for room brings the states of others to their rules, and their law may throw. */
  @Test
  void load_lawOfAnotherKeyThrows_stateStaysAsItWas() {
    StateTable small = StateTable.of(rules, 64 << 10);
    Rule shared = rules.shared(Limit.parse("10/s"), Algorithm.GCRA);
    Rule lasting = rules.add(Limit.parse("10/day"), new Failing(), /* slot= */ 0, START);
    Rule own = rules.add(Limit.parse("20/day"), Algorithm.FIXED_WINDOW, /* slot= */ 0, START + 1);
    Turn turn = new Turn();
    small.play(turn.of(KEY, shared, START).asks(10));
    for (long i = 1; i < 10_000; i++) {
      small.play(turn.of(i * 0x9E37_79B9_7F4A_7C15L, lasting, START).asks(10));
    }
    lasting.endsAt(START + 1, rules.add(Limit.parse("9/day"), new Failing(), 0, START + 1));
    small.cells().rulesChanged();
    turn.of(KEY, own, START + HOUR).asks(1);
    assertThatIllegalStateException().isThrownBy(() -> small.play(turn));
    small.play(turn.of(KEY, shared, START + HOUR).asks(0));
    assertThat(turn.step().remaining()).isEqualTo(10);
  }

  private static final class Failing extends OwnWindow {
    @Override
    public void used(Step step, Limit limit, long nowNanos) {
      throw new IllegalStateException("used");
    }
  }
}
