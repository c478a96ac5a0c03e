package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Blocks never overlap, and what was freed is as good as new. */
class BuddiesTest {
  private static final int LINES = 3 << 9;

  private final Buddies buddies = new Buddies(new Budget(3 * Memory.bytes(8 << 9)));

  @Test
  void take_everythingFreed_isThereInFullLengthAgain() {
    SplittableRandom random = Trial.random("buddies");
    for (int round = 0; round < 50; round++) {
      List<Long> taken = new ArrayList<>();
      boolean[] used = new boolean[LINES];
      for (int i = 0; i < 2_000; i++) {
        long handle = random.nextBoolean() ? buddies.take(random.nextInt(9)) : 0;
        if (handle != 0) {
          taken.add(handle);
          mark(used, handle, /* now= */ true);
        } else if (!taken.isEmpty()) {
          long gone = taken.remove(random.nextInt(taken.size()));
          mark(used, gone, /* now= */ false);
          buddies.free(gone);
        }
      }
      taken.forEach(buddies::free);
      for (int area = 0; area < 3; area++) {
        assertThat(buddies.take(9)).as("area %d of round %d", area, round).isNotZero();
      }
      assertThat(buddies.take(0)).isZero();
      for (long area = 1; area <= 3; area++) {
        buddies.free(area << 24);
      }
    }
  }

  private void mark(boolean[] used, long handle, boolean now) {
    int first = (((int) (handle >>> 24) - 1) << 9) + Buddies.base(handle) / Memory.LINE_WORDS;
    for (int line = first; line < first + (1 << buddies.size(handle)); line++) {
      assertThat(used[line]).isEqualTo(!now);
      used[line] = now;
    }
  }

  @Test
  void vacate_nothingCanBeMoved_leavesEverythingAsItWas() {
    List<Long> taken = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      taken.add(buddies.take(0));
    }
    assertThat(buddies.vacate(1, handle -> true)).as("when nothing is free").isFalse();
    for (int i = 0; i < LINES; i += 2) {
      buddies.free(taken.get(i));
    }
    assertThat(buddies.vacate(1, handle -> false)).isFalse();
    for (int i = 0; i < LINES; i += 2) {
      assertThat(buddies.take(0)).as("block %d", i).isNotZero();
    }
    assertThat(buddies.take(0)).isZero();
  }

  /** Whoever was in the way may be gone when the search comes by again. */
  @Test
  void vacate_oneArea_isSearchedAgainAndAgain() {
    Buddies single = new Buddies(new Budget(Memory.bytes(8 << 9)));
    List<Long> taken = new ArrayList<>();
    for (int i = 0; i < 1 << 9; i++) {
      taken.add(single.take(0));
    }
    for (int i = 0; i < 1 << 9; i += 2) {
      single.free(taken.get(i));
    }
    for (int round = 0; round < 10; round++) {
      assertThat(single.vacate(8, handle -> false)).isFalse();
    }
    assertThat(single.vacate(8, handle -> single.take(0) != 0)).isTrue();
  }
}
