package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Ids are found until they are too old or the oldest of too many (R22). */
class IdWindowTest {
  private static final int PARTS = 64;

  private final ManualClock clock = new ManualClock();

  private IdWindow window(long idsMax, long bytesMax) {
    return window(idsMax, bytesMax, Duration.ofMinutes(10));
  }

  private IdWindow window(long idsMax, long bytesMax, Duration age) {
    return new IdWindow(idsMax, bytesMax, age.toNanos(), clock, /* generation= */ null);
  }

  private static byte[] answer(long hash, int length) {
    byte[] answer = new byte[length];
    new SplittableRandom(hash).nextBytes(answer);
    return answer;
  }

  @Test
  void get_anotherCheck_isAnotherId() {
    IdWindow ids = window(1_000, 1 << 20);
    ids.put(7, 1, answer(1, 3), clock.nanos());
    ids.put(7, 2, answer(2, 3), clock.nanos());
    assertThat(ids.get(7, 1)).isEqualTo(answer(1, 3));
    assertThat(ids.get(7, 2)).isEqualTo(answer(2, 3));
    assertThat(ids.get(7, 3)).isNull();
    assertThat(ids.size()).isEqualTo(2);
  }

  @Test
  void put_sameIdAgain_replacesTheAnswer() {
    IdWindow ids = window(1_000, 1 << 20);
    ids.put(7, 1, answer(1, 300), clock.nanos());
    ids.put(7, 1, answer(2, 3), clock.nanos());
    assertThat(ids.get(7, 1)).isEqualTo(answer(2, 3));
    assertThat(ids.size()).isEqualTo(1);
  }

  @Test
  void get_olderThanTheWindow_isForgottenAndNotCountedAsDropped() {
    IdWindow ids = window(1_000, 1 << 20);
    ids.put(7, 1, answer(1, 3), clock.nanos());
    clock.advance(Duration.ofMinutes(10));
    assertThat(ids.get(7, 1)).isNotNull();
    clock.advanceNanos(1);
    assertThat(ids.get(7, 1)).isNull();
    ids.expire(clock.nanos());
    assertThat(ids.size()).isZero();
    assertThat(ids.dropped()).isZero();
    assertThat(ids.windowNanos(clock.nanos())).isEqualTo(ids.ageNanosMax());
  }

  @Test
  void get_otherWindow_isRememberedForThatLong() {
    IdWindow ids = window(1_000, 1 << 20, Duration.ofHours(2));
    ids.put(7, 1, answer(1, 3), clock.nanos());
    clock.advance(Duration.ofHours(2));
    ids.put(8, 1, answer(1, 3), clock.nanos());
    ids.expire(clock.nanos());
    assertThat(ids.get(7, 1)).isNotNull();
    clock.advanceNanos(1);
    assertThat(ids.get(7, 1)).isNull();
    assertThat(ids.windowNanos(clock.nanos())).isEqualTo(Duration.ofHours(2).toNanos());
  }

  @Test
  void forget_remembered_isGoneAndMayBeRememberedAgain() {
    IdWindow ids = window(100, 1 << 20);
    ids.put(1, 2, answer(1, 10), clock.nanos());
    ids.forget(1, 2, clock.nanos());
    assertThat(ids.get(1, 2)).isNull();
    ids.put(1, 2, answer(2, 10), clock.nanos());
    assertThat(ids.get(1, 2)).isEqualTo(answer(2, 10));
  }

  /** One part of the window against a queue of what was put: same ids, same answers, oldest out. */
  @Test
  void put_moreThanFit_dropsTheOldestAndSaysHowLongTheWindowIs() {
    SplittableRandom random = new SplittableRandom(5);
    int most = 50;
    IdWindow ids = window((long) most * PARTS, 1 << 20);
    Deque<Long> order = new ArrayDeque<>();
    Map<Long, byte[]> answers = new HashMap<>();
    long dropped = 0;
    for (int i = 0; i < 5_000; i++) {
      clock.advanceNanos(1_000);
      long hash = random.nextInt(120) * 16L;
      byte[] answer = answer(random.nextLong(), 1 + random.nextInt(200));
      ids.put(hash, 9, answer, clock.nanos());
      if (answers.put(hash, answer) != null) {
        order.remove(hash);
      }
      order.add(hash);
      if (order.size() > most) {
        answers.remove(order.remove());
        dropped++;
      }
      for (long other = 0; other < 120 * 16; other += 16) {
        assertThat(ids.get(other, 9)).isEqualTo(answers.get(other));
      }
    }
    assertThat(ids.size()).isEqualTo(most);
    assertThat(ids.dropped()).isEqualTo(dropped).isPositive();
    assertThat(ids.windowNanos(clock.nanos())).isBetween(most * 1_000L, 500 * 1_000L);
  }

  @Test
  void put_moreBytesThanFit_dropsTheOldest() {
    IdWindow ids = window(1_000_000, /* bytesMax= */ 0);
    int size = 16 << 10;
    for (long i = 0; i < 200; i++) {
      ids.put(i, i, answer(i, size - (int) i), clock.nanos());
    }
    assertThat(ids.dropped()).isEqualTo(200 - ids.size());
    assertThat(ids.size()).isBetween(5L, 8L);
    for (long i = 0; i < 200; i++) {
      boolean kept = i >= 200 - ids.size();
      assertThat(ids.get(i, i)).isEqualTo(kept ? answer(i, size - (int) i) : null);
    }
  }

  /** They have the top bits of their hashes in common. */
  @Test
  void put_idsOfOneKey_haveTheRoomOfAll() {
    SplittableRandom random = new SplittableRandom(7);
    IdWindow ids = window(64_000, 64 << 20);
    for (int i = 0; i < 32_000; i++) {
      ids.put(random.nextLong() >>> 8, i, answer(i, 3), clock.nanos());
    }
    assertThat(ids.dropped()).isZero();
    assertThat(ids.size()).isEqualTo(32_000);
  }

  @Test
  void put_longestAnswer_isRememberedWhateverTheRoom() {
    IdWindow ids = window(1_000, /* bytesMax= */ 0);
    for (long i = 0; i < 10; i++) {
      ids.put(i, i, answer(i, IdWindow.ANSWER_BYTES_MAX), clock.nanos());
      assertThat(ids.get(i, i)).isEqualTo(answer(i, IdWindow.ANSWER_BYTES_MAX));
    }
  }

  @Test
  void put_answerTooLong_throws() {
    IdWindow ids = window(10, 1 << 20);
    byte[] answer = new byte[IdWindow.ANSWER_BYTES_MAX + 1];
    assertThatThrownBy(() -> ids.put(1, 1, answer, clock.nanos()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("61441 bytes");
  }
}
