package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import org.junit.jupiter.api.Test;

/** A count that fades, and then under another period. */
class FadeTest {
  private static final long SECOND = 1_000_000_000;
  private static final long HALF = SECOND / 2;

  /** The start of a minute. */
  private static final long START = 29_552_430 * 60 * SECOND;

  /** What is left of a count that fades under one limit, as another goes on with it. */
  private static Step goOn(long count, long left, String from, String to) {
    Step step = new Step();
    step.x = count;
    step.y = -1;
    step.until = START + left;
    Algorithm.SLIDING_WINDOW_COUNTER.change(step, Limit.parse(from), Limit.parse(to), START);
    Algorithm.SLIDING_WINDOW_COUNTER.used(step, Limit.parse(to), START);
    return step;
  }

  @Test
  void change_ofACountThatFades_scalesTheTimeThatIsLeft() {
    Step half = goOn(/* count= */ 10, 27 * SECOND, "10/min", "10/s");
    assertThat(half.until).isEqualTo(START + 27 * SECOND / 60);
    assertThat(half.x).as("4.5 of it are used").isEqualTo(10);
    assertThat(half.usedWhole()).isEqualTo(5);
    Step even = goOn(/* count= */ 10, 30 * SECOND, "10/min", "10/59s");
    assertThat(even.until).isEqualTo(START + 59 * HALF);
    assertThat(even.usedWhole()).isEqualTo(5);
  }

  @Test
  void change_ofACountThatFades_roundsTheTimeUpWhereDownIsAUnitLess() {
    Step more = goOn(/* count= */ 10, 6 * SECOND + 1, "10/min", "10/s");
    assertThat(more.until).isEqualTo(START + 100_000_001);
    assertThat(more.usedWhole()).isEqualTo(2);
    Step exact = goOn(/* count= */ 10, 6 * SECOND, "10/min", "10/s");
    assertThat(exact.until).isEqualTo(START + 100_000_000);
    assertThat(exact.usedWhole()).isEqualTo(1);
  }

  @Test
  void change_ofACountThatFadesToAPeriodOfFewNanosecondsForEachUnit_usesAsMuch() {
    Step fast = goOn(/* count= */ 10_000_000, /* left= */ 15, "10000000/10ms", "1000000/ms");
    assertThat(fast.usedWhole()).isEqualTo(15);
    assertThat(fast.until).isEqualTo(START + 2);
  }

  /** A cancel that comes when nothing of it counts any more must not round what is used anew. */
  @Test
  void giveBack_nothing_leavesItAsItIs() {
    Step step = goOn(/* count= */ 10, 27 * SECOND, "10/min", "10/s");
    long count = step.x;
    Algorithm.SLIDING_WINDOW_COUNTER.giveBack(
        step, Limit.parse("10/s"), START + SECOND / 7, /* cost= */ 5, Traced.GONE);
    assertThat(step.x).isEqualTo(count);
    assertThat(step.until).isEqualTo(START + 27 * SECOND / 60);
  }

  @Test
  void giveBack_lateByAnyTime_givesBackThatAndNoMore() {
    Limit limit = Limit.parse("10/s");
    for (long late : new long[] {1, HALF, SECOND, 12 * HALF}) {
      for (int used = 1; used <= 3; used++) {
        Step step = new Step();
        step.used(used, /* part= */ 0, /* of= */ 1);
        Algorithm.SLIDING_WINDOW_COUNTER.carry(step, limit, START);
        long ticket = -(START + SECOND);
        Algorithm.SLIDING_WINDOW_COUNTER.giveBack(step, limit, START - late, /* cost= */ 1, ticket);
        Algorithm.SLIDING_WINDOW_COUNTER.decide(step, limit, START, /* cost= */ 1);
        assertThat(step.remaining()).isEqualTo(10 - used);
      }
    }
  }
}
