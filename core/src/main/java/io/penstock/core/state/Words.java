package io.penstock.core.state;

import io.penstock.core.Log;
import io.penstock.core.Step;
import java.util.Arrays;

/** States one after the other: hash, rule, number of words, words. Confined to one thread. */
final class Words {
  private static final int FIXED = 3;
  private static final int SIZE_MIN = 256;

  private long[] words = new long[SIZE_MIN];
  private int size;

  void add(long hash, long rule, Step step) {
    Log log = step.log();
    put(hash);
    put(rule);
    put(FIXED + 2L * log.size());
    put(step.until);
    put(step.x);
    put(log.handle() == 0 ? step.y : 0);
    for (int i = 0; i < log.size(); i++) {
      put(log.time(i));
      put(log.amount(i));
    }
    log.clear();
  }

  /** Adds a key that has used nothing. */
  void addEmpty(long hash, long rule) {
    put(hash);
    put(rule);
    put(FIXED);
    for (int i = 0; i < FIXED; i++) {
      put(0);
    }
  }

  private void put(long word) {
    if (size == words.length) {
      words = Arrays.copyOf(words, 2 * size);
    }
    words[size++] = word;
  }

  long[] toArray() {
    return Arrays.copyOf(words, size);
  }
}
