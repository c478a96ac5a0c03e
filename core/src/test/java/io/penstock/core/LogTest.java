package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/**
 * The log of a state against a plain list: what is kept is kept, and what is not leaves no trace.
 */
class LogTest {
  private static final int ROUNDS = 60;
  private static final Log.Space SPACE =
      (log, entries) -> {
        log.moveTo(LongBuffer.allocate(4 * entries + 6), 3, 2 * entries);
        return true;
      };

  private record Entry(long time, long amount) {}

  private final Log log = new Log();
  private List<Entry> model = new ArrayList<>();

  private void assertSame(String doing) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      entries.add(new Entry(log.time(i), log.amount(i)));
    }
    assertThat(entries).as(doing).isEqualTo(model);
  }

  @Test
  void drop_moreThanThereIs_isRefused() {
    log.append(1, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.dropFirst(2))
        .withMessage("entries: 2 (expected: 0..1)");
    assertThatIllegalArgumentException().isThrownBy(() -> log.dropFirst(-1));
    log.dropLast();
    assertThatIllegalArgumentException()
        .isThrownBy(log::dropLast)
        .withMessage("size: 0 (expected: >= 1)");
  }

  private void append(Entry entry) {
    log.append(entry.time, entry.amount);
    model.add(entry);
  }

  private void settle(boolean kept, List<Entry> before, long dropUntil) {
    if (kept) {
      log.reserve(SPACE);
      log.settle();
      model.removeIf(entry -> entry.time <= dropUntil);
    } else {
      if (model.size() % 2 == 0) {
        log.reserve(SPACE);
      }
      log.forget();
      model = before;
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void log_anyChanges_areKeptOrForgottenAsAWhole(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LogTest test = new LogTest();
    for (int round = 0; round < ROUNDS; round++) {
      boolean kept = random.nextInt(3) > 0;
      List<Entry> before = new ArrayList<>(test.model);
      StringBuilder doing = new StringBuilder();
      for (int i = random.nextInt(4); i >= 0; i--) {
        doing.append(test.change(random)).append(' ');
        test.assertSame(doing.toString());
      }
      test.settle(kept, before, test.dropUntil(random, kept));
      test.assertSame(doing + (kept ? "kept" : "forgotten"));
    }
  }

  /** Only what is in the ring can be dropped by its time, so nothing else may have happened. */
  private long dropUntil(SplittableRandom random, boolean kept) {
    if (!kept || log.isChanged() || random.nextInt(3) > 0) {
      return 0;
    }
    long until = random.nextLong(100);
    log.dropUntil(until);
    append(new Entry(200, 1));
    return until;
  }

  private String change(SplittableRandom random) {
    Entry entry = new Entry(1 + random.nextLong(100), random.nextLong(1_000));
    if (!log.isChanged() && random.nextInt(8) == 0) {
      log.prepend(entry.time, entry.amount);
      model.add(0, entry);
      return "prepend";
    }
    int choice = model.isEmpty() ? 0 : random.nextInt(9);
    switch (choice) {
      case 3 -> {
        log.dropFirst(1);
        model.remove(0);
        return "dropFirst";
      }
      case 4 -> {
        log.dropLast();
        model.remove(model.size() - 1);
        return "dropLast";
      }
      case 5 -> {
        log.replaceLast(entry.time, entry.amount);
        model.set(model.size() - 1, entry);
        return "replaceLast";
      }
      case 6 -> {
        log.replaceFirst(entry.time, entry.amount);
        model.set(0, entry);
        return "replaceFirst";
      }
      case 7, 8 -> {
        return changeInside(random, entry, choice == 7);
      }
      default -> {
        append(entry);
        return "append";
      }
    }
  }

  private String changeInside(SplittableRandom random, Entry entry, boolean set) {
    int index = random.nextInt(model.size());
    if (set) {
      log.set(index, entry.time, entry.amount);
      model.set(index, entry);
    } else {
      log.remove(index);
      model.remove(index);
    }
    return (set ? "set " : "remove ") + index;
  }

  @Test
  void settle_noRoom_isSaidBefore() {
    append(new Entry(1, 2));
    assertThat(log.reserve((full, entries) -> false)).isFalse();
    log.forget();
    assertThat(log.size()).isZero();
    assertThat(log.isChanged()).isFalse();
  }
}
