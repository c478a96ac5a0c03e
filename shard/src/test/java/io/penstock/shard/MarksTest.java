package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marks are there for ten minutes, have a bound of their own, and survive like all else. */
class MarksTest {
  private final ManualClock clock = new ManualClock();

  @Test
  void put_moreThanThereIsRoom_dropsTheOldestAndSaysSo() {
    Marks marks = new Marks(/* countMax= */ 640, clock, /* generation= */ null);
    for (int i = 0; i < 10_000; i++) {
      marks.put((long) i << 40, i, i % Marks.VALUES, clock.nanos());
      clock.advanceNanos(1_000_000);
    }
    assertThat(marks.size()).isEqualTo(640).isEqualTo(marks.sizeMax());
    assertThat(marks.dropped()).isEqualTo(10_000 - 640);
    assertThat(marks.get(9_999L << 40, 9_999)).isEqualTo(9_999 % Marks.VALUES);
    assertThat(marks.get(0, 0)).isEqualTo(-1);
    assertThat(marks.windowNanos(clock.nanos())).isLessThan(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void get_afterTenMinutes_isForgotten() {
    Marks marks = new Marks(/* countMax= */ 640, clock, /* generation= */ null);
    marks.put(1, 2, 3, clock.nanos());
    clock.advance(Duration.ofMinutes(10));
    assertThat(marks.get(1, 2)).isEqualTo(3);
    clock.advanceNanos(1);
    assertThat(marks.get(1, 2)).isEqualTo(-1);
  }

  @Test
  void put_valueThatDoesNotFit_throws() {
    Marks marks = new Marks(/* countMax= */ 640, clock, /* generation= */ null);
    assertThatThrownBy(() -> marks.put(1, 2, Marks.VALUES, clock.nanos()))
        .hasMessage("value: 128 (expected: 0..127)");
  }

  @Test
  void open_afterClose_holdsMarksApartFromIds(@TempDir Path folder) {
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      long generation = shard.enter();
      shard.marks().put(1, 2, 3, Ledger.NOW);
      shard.ids().put(4, 5, new byte[] {3}, Ledger.NOW);
      shard.leave(generation);
    }
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      assertThat(shard.marks().get(1, 2)).isEqualTo(3);
      assertThat(shard.marks().size()).isEqualTo(1);
      assertThat(shard.ids().get(4, 5)).isEqualTo(new byte[] {3});
      assertThat(shard.ids().size()).isEqualTo(1);
    }
  }
}
