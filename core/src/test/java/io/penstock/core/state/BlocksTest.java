package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Log;
import io.penstock.core.Step;
import org.junit.jupiter.api.Test;

/** What a log is said to need is what it takes. */
class BlocksTest {
  @Test
  void bytesFor_logsThatFit_isWhatTheyTakeToGrowThere() {
    for (int entries : new int[] {3, 4, 1_000, 1_023, 1_024, 2_047, 2_048, 100_000}) {
      Budget budget = new Budget(1 << 30);
      Blocks blocks = new Blocks(new Buddies(budget));
      Log log = new Step().log();
      assertThat(blocks.grow(log, 1)).isTrue();
      for (int grown = 4; grown <= entries; grown *= 2) {
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
