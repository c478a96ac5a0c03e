package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Algorithm.Shape;
import io.penstock.core.Limit;
import io.penstock.core.laws.PureKey;
import org.junit.jupiter.api.Test;

/** What every state needs, and what looking and taking leave in it. */
class ShapeTest {
  private static final long NOW = 1_773_145_800_000_000_000L;

  private static Limit limitOf(Algorithm algorithm) {
    return Limit.parse(algorithm == Algorithm.CONCURRENCY ? "9 concurrent lease 1s" : "9/s");
  }

  @Test
  void shape_bucket_isOneWordUnlessItKeepsAFraction() {
    assertThat(Algorithm.GCRA.shape(Limit.parse("10/s"))).isEqualTo(Shape.ONE_WORD);
    assertThat(Algorithm.GCRA.shape(Limit.parse("3000/s"))).isEqualTo(Shape.THREE_WORDS);
  }

  @Test
  void shape_others_areThreeWordsOrALog() {
    for (Algorithm algorithm : Algorithm.all()) {
      boolean entries =
          algorithm == Algorithm.SLIDING_WINDOW_LOG
              || algorithm == Algorithm.LEAKY_QUEUE
              || algorithm == Algorithm.CONCURRENCY;
      if (!(algorithm instanceof Gcra)) {
        assertThat(algorithm.shape(limitOf(algorithm)))
            .as(algorithm.name())
            .isEqualTo(entries ? Shape.LOG : Shape.THREE_WORDS);
      }
    }
  }

  @Test
  void decide_costOfZero_leavesTheStateAsItIs() {
    for (Algorithm algorithm : Algorithm.all()) {
      PureKey key = new PureKey(algorithm, limitOf(algorithm));
      key.take(NOW, 0);
      assertThat(key.state()).as(algorithm.name()).isEqualTo("0 0 0");
      key.take(NOW, 2);
      String before = key.state();
      assertThat(key.take(NOW + 1, 0).allowed()).isTrue();
      assertThat(key.state()).as(algorithm.name()).isEqualTo(before);
    }
  }

  /** Leases have names, a queue the place; all others the instant. */
  @Test
  void decide_taken_givesATicketThatIsNotZero() {
    for (Algorithm algorithm : Algorithm.all()) {
      PureKey key = new PureKey(algorithm, limitOf(algorithm));
      long ticket = key.take(NOW, 1).ticket();
      if (algorithm != Algorithm.CONCURRENCY) {
        assertThat(ticket).as(algorithm.name()).isEqualTo(NOW);
        PureKey first = new PureKey(algorithm, limitOf(algorithm));
        assertThat(first.take(/* now= */ 0, 1).ticket()).as(algorithm.name()).isEqualTo(1);
      }
    }
  }

  @Test
  void giveBack_all_isFullAndNotMore() {
    for (Algorithm algorithm : Algorithm.all()) {
      PureKey key = new PureKey(algorithm, limitOf(algorithm));
      long ticket = key.take(NOW, 4).ticket();
      key.giveBack(NOW, 4, ticket);
      assertThat(key.ask(NOW, 0).remaining()).as(algorithm.name()).isEqualTo(9);
      assertThat(key.take(NOW, 9).remaining()).as(algorithm.name()).isLessThan(2);
    }
  }
}
