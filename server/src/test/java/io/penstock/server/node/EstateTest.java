package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.shard.NotesFullException;
import io.penstock.shard.Shard;
import io.penstock.testkit.ManualClock;
import org.junit.jupiter.api.Test;

/** What a group says of its shards, it says in its log (R23). */
class EstateTest {
  private static final int NOTES_MAX = 3;
  private static final int NUMBER = 17;
  private static final byte[] TEXT = new byte[8];

  private final ManualClock clock = new ManualClock();
  private final Shard shard = Shard.open(Bench.options(clock, NOTES_MAX));

  @Test
  void r23_deedWhereNotesAreFull_isInTheLogAllTheSame() {
    for (int i = 0; i < NOTES_MAX; i++) {
      shard.notes().put(i, i, TEXT, Long.MAX_VALUE);
    }
    assertThatThrownBy(() -> shard.notes().put(9, 9, TEXT, Long.MAX_VALUE))
        .isInstanceOf(NotesFullException.class);
    Estate estate = new Estate(Extent.ALL, shard);
    for (Deed.Sort sort : Deed.Sort.values()) {
      estate.put(NUMBER, sort, /* move= */ 5);
      Estate next = new Estate(Extent.ALL, shard);
      assertThat(next.deed(NUMBER)).as("what the next owner reads").isEqualTo(estate.deed(NUMBER));
      assertThat(next.isOpen(NUMBER)).isEqualTo(sort == Deed.Sort.OPEN);
    }
  }
}
