package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import org.junit.jupiter.api.Test;

/** A law of somebody's own, which writes over the entries of its log when its limit changes. */
class OwnLogTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long KEY = 0x1234_5678_9abc_def0L;
  private static final long OTHER = 0x0edc_ba98_7654_3210L;

  /** A sliding log whose entries are written anew; it can be told to fail when it has done so. */
  private static final class Rewriting implements Algorithm {
    boolean fails;

    @Override
    public String name() {
      return "rewriting";
    }

    @Override
    public Shape shape(Limit limit) {
      return Shape.LOG;
    }

    @Override
    public void decide(Step step, Limit limit, long nowNanos, long cost) {
      SLIDING_WINDOW_LOG.decide(step, limit, nowNanos, cost);
    }

    @Override
    public void used(Step step, Limit limit, long nowNanos) {
      SLIDING_WINDOW_LOG.used(step, limit, nowNanos);
    }

    @Override
    public void carry(Step step, Limit limit, long nowNanos) {
      SLIDING_WINDOW_LOG.carry(step, limit, nowNanos);
    }

    @Override
    public void change(Step step, Limit from, Limit to, long nowNanos) {
      for (int i = 0; i < step.log().size(); i++) {
        step.log().set(i, step.log().time(i), step.log().amount(i));
      }
      if (fails) {
        step.log().set(0, /* time= */ 0, /* amount= */ 0);
        throw new IllegalStateException("change");
      }
    }
  }

  private final Rewriting law = new Rewriting();
  private final Rules rules = new Rules();
  private final StateTable table = StateTable.tracked(rules, 1 << 17, /* stripes= */ 1);
  private final Turn turn = new Turn();

  private Rule rule(long since) {
    return rules.add(Limit.parse("5/s"), law, /* slot= */ 0, since);
  }

  private long left(Rule rule, long key, long now, long cost) {
    table.play(turn.of(key, rule, now).asks(cost));
    assertThat(turn.isFull()).isFalse();
    return turn.step().remaining();
  }

  @Test
  void play_stateIsOverUnderTheNextRule_freesItsBlockAndWritesNothingThere() {
    Rule first = rule(START);
    assertThat(left(first, KEY, START, 1)).isEqualTo(4);
    Rule next = rule(START + 1);
    first.endsAt(START + 1, next);
    assertThat(left(next, KEY, START + 9 * SECOND, 1)).isEqualTo(4);
    assertThat(left(next, OTHER, START + 9 * SECOND, 2)).isEqualTo(3);
    new Inside(table).check();
  }

  @Test
  void rewrite_stateIsForgotten_freesItsBlockAndWritesNothingThere() {
    Rule first = rule(START);
    assertThat(left(first, KEY, START, 1)).isEqualTo(4);
    Rule next = rule(START + 1);
    first.endsAt(START + 1, next);
    table.lockForWrite(0);
    turn.of(KEY, next, START + 2);
    assertThat(table.cells().rewrite(turn, 0, /* forget= */ true)).isTrue();
    table.unlock(0);
    assertThat(left(next, OTHER, START + 2, 2)).isEqualTo(3);
    assertThat(left(next, KEY, START + 2, 3)).isEqualTo(2);
    new Inside(table).check();
  }

  @Test
  void sweep_algorithmThrows_leavesTheStripeUnlockedAndTheStateAsItWas() {
    Rule first = rule(START);
    assertThat(left(first, KEY, START, 1)).isEqualTo(4);
    Rule next = rules.add(Limit.parse("6/s"), law, /* slot= */ 0, START + 1);
    first.endsAt(START + 1, next);
    for (int i = 0; i < Sweep.PAUSE; i++) {
      rule(START);
    }
    law.fails = true;
    assertThatIllegalStateException().isThrownBy(() -> table.sweep(START + 2));
    assertThat(Stripes.isLocked(table.cells().stripes().note(0))).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> left(next, KEY, START + 2, 1));
    assertThat(Stripes.isLocked(table.cells().stripes().note(0))).isFalse();
    law.fails = false;
    table.sweep(START + 2);
    assertThat(left(next, KEY, START + 2, 1)).isEqualTo(4);
    new Inside(table).check();
  }
}
