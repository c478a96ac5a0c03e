package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Log;
import io.penstock.core.Step;
import org.junit.jupiter.api.Test;

/** What a log is said to need is what it takes. */
class BlocksTest {
  @Test
  void bytesFor_logsThatFit_isWhatTheyTakeToGrowThere() {
    for (int entries : new int[] {3, 4, 5, 1_000, 2_048, 2_049, 100_000}) {
      Budget budget = new Budget(1 << 30);
      Blocks blocks = new Blocks(budget);
      Log log = new Step().log();
      for (int grown = 4; grown < 2 * entries; grown *= 2) {
        assertThat(blocks.grow(log, grown)).isTrue();
      }
      assertThat(Blocks.bytesFor(entries)).as("%d entries", entries).isEqualTo(budget.used());
    }
  }

  @Test
  void bytesFor_logsThatNeverFit_isAtLeastTheirEntriesAndAtMostFourTimesThat() {
    for (long entries = 100_000_000; entries <= 100_000_000_000_000_000L; entries *= 10) {
      assertThat(Blocks.hasSizeFor(entries)).as("%d entries", entries).isFalse();
      assertThat(Blocks.bytesFor(entries))
          .as("%d entries", entries)
          .isBetween(Math.min(16 * entries, 1L << 61), 64 * entries + (1 << 20));
    }
  }
}
