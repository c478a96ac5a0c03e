package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testkit.ManualClock;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Notes are there until their end, and none is forgotten before it. */
class NotesTest {
  private final ManualClock clock = new ManualClock();

  private Notes notes(long countMax, long bytesMax) {
    return new Notes(countMax, bytesMax, clock, /* generation= */ null);
  }

  private record Written(int number, long endNanos) {}

  private static byte[] text(int number) {
    return String.valueOf(number).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  @Test
  void get_putRemovedEnded_isAsAMapSays() {
    SplittableRandom random = new SplittableRandom(3);
    Notes notes = notes(1_000, 1 << 20);
    Map<Long, Written> texts = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      clock.advanceNanos(10);
      long id = random.nextInt(40);
      if (random.nextInt(4) == 0) {
        notes.remove(id, -id);
        texts.remove(id);
      } else {
        long end = clock.nanos() + random.nextInt(500);
        notes.put(id, -id, text(i), end);
        texts.put(id, new Written(i, end));
      }
      long asked = random.nextInt(40);
      Written written = texts.get(asked);
      boolean ended = written == null || written.endNanos <= clock.nanos();
      byte[] expected = written == null || ended ? null : text(written.number);
      assertThat(notes.get(asked, -asked)).isEqualTo(expected);
    }
    clock.advanceNanos(1_000);
    notes.expire(clock.nanos());
    assertThat(notes.size()).isZero();
  }

  @Test
  void put_tooMany_throwsAndForgetsNone() {
    Notes notes = notes(3, 1 << 20);
    long end = clock.nanos() + 1_000;
    for (int i = 0; i < 3; i++) {
      notes.put(i, i, text(i), end);
    }
    assertThatThrownBy(() -> notes.put(4, 4, text(4), end)).isInstanceOf(NotesFullException.class);
    notes.put(2, 2, text(9), end);
    for (int i = 0; i < 2; i++) {
      assertThat(notes.get(i, i)).isEqualTo(text(i));
    }
    assertThat(notes.get(2, 2)).isEqualTo(text(9));
    notes.remove(0, 0);
    notes.put(4, 4, text(4), end);
    assertThat(notes.size()).isEqualTo(3);
  }

  @Test
  void put_tooManyBytes_throws() {
    Notes notes = notes(1_000, 4_000);
    byte[] text = new byte[3_000];
    notes.put(1, 1, text, clock.nanos() + 1);
    assertThatThrownBy(() -> notes.put(2, 2, text, clock.nanos() + 1))
        .isInstanceOf(NotesFullException.class)
        .hasMessageStartingWith("notes: 1 with 3160 bytes");
  }

  @Test
  void isCrowded_nobodyElseForgets_whatHasEndedMakesRoom() {
    Notes notes = notes(32, 1 << 20);
    for (int i = 0; i < 32; i++) {
      notes.put(i, i, text(i), clock.nanos() + 1_000);
    }
    assertThat(notes.isCrowded()).isTrue();
    clock.advanceNanos(1_000);
    assertThat(notes.isCrowded()).isFalse();
  }

  @Test
  void forEach_severalParts_handsOverEveryNote() {
    Notes notes = notes(1_000, 1 << 20);
    for (int i = 0; i < 100; i++) {
      notes.put(i, 7, text(i), clock.nanos() + 1);
    }
    Map<Long, byte[]> found = new HashMap<>();
    notes.forEach((hash, check, bytes) -> found.put(hash, bytes));
    assertThat(found).hasSize(100);
    assertThat(found.get(42L)).isEqualTo(text(42));
  }
}
