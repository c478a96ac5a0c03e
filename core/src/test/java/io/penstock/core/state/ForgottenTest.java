package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who read the clock early, and comes after its state was idle and its slot another key's. */
class ForgottenTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long KEY = 0x1234_5678_9abc_def0L;
  private static final int OTHERS = 20_000;

  private final Rules rules = new Rules();
  private final StateTable table = StateTable.of(rules, 1 << 23);
  private final Turn turn = new Turn();

  private boolean takesFive(Rule rule, long hash, long now) {
    table.play(turn.of(hash, rule, now).asks(Ask.TAKE, 5, /* ticket= */ 0));
    return turn.step().allowed();
  }

  @ParameterizedTest
  @CsvSource({
    "gcra, 5/s",
    "fixed-window, 5/s",
    "sliding-window-counter, 5/s",
    "sliding-window-log, 5/s",
    "leaky-queue, 10/s burst 5"
  })
  void play_lateAfterItsSlotWasGivenAway_takesNoSecondBurst(String algorithm, String limit) {
    Rule rule = rules.add(Limit.parse(limit), Algorithm.named(algorithm), /* slot= */ 0, START);
    assertThat(takesFive(rule, KEY, START)).isTrue();
    SplittableRandom random = new SplittableRandom(1);
    long now = START + 3 * SECOND;
    for (int i = 0; i < OTHERS; i++) {
      takesFive(rule, random.nextLong(), now);
    }
    assertThat(takesFive(rule, KEY, START + 1)).as("as of now").isTrue();
    assertThat(takesFive(rule, KEY, now + 1)).isFalse();
  }
}
