package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Words outside the heap are as many as were asked for, wherever the memory happens to begin. */
class MemoryTest {
  private static final int WORDS_MAX = 600;

  @Test
  void words_anyCount_areAllThere() {
    List<LongBuffer> kept = new ArrayList<>();
    for (int words = 1; words <= WORDS_MAX; words++) {
      for (int again = 0; again < 4; again++) {
        LongBuffer buffer = Memory.words(words);
        assertThat(buffer.capacity()).as("%d words", words).isGreaterThanOrEqualTo(words);
        kept.add(buffer);
      }
    }
    assertThat(kept).hasSize(4 * WORDS_MAX);
  }

  @Test
  void bytes_anyCount_coverTheWordsAndTheLineThatAlignsThem() {
    for (int words = 1; words <= WORDS_MAX; words++) {
      long least = (long) words * Long.BYTES + Memory.LINE_BYTES;
      assertThat(Memory.bytes(words)).isBetween(least, least + Memory.LINE_BYTES - 1);
    }
  }
}
