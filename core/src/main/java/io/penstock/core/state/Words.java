package io.penstock.core.state;

import io.penstock.core.Log;
import io.penstock.core.Step;
import java.util.Arrays;

/** States one after the other: hash, rule, number of words, words. Confined to one thread. */
final class Words {
  private static final int HEAD = 3;
  private static final int FIXED = 3;
  private static final int STATES_MIN = 4;

  private long[] words;
  private int size;

  Words() {
    this(STATES_MIN);
  }

  /** Room for so many states at first. */
  Words(int states) {
    words = new long[Math.max(STATES_MIN, states) * (HEAD + FIXED)];
  }

  void clear() {
    size = 0;
  }

  void add(long hash, long rule, long until, long x, long y) {
    put(hash);
    put(rule);
    put(FIXED);
    put(until);
    put(x);
    put(y);
  }

  /** Adds a state with a log. */
  void add(long hash, long rule, Step step) {
    Log log = step.log();
    put(hash);
    put(rule);
    put(FIXED + 2L * log.size());
    put(step.until);
    put(step.x);
    put(0);
    for (int i = 0; i < log.size(); i++) {
      put(log.time(i));
      put(log.amount(i));
    }
    log.clear();
  }

  /** Adds a key that has used nothing. */
  void addEmpty(long hash, long rule) {
    add(hash, rule, /* until= */ 0, /* x= */ 0, /* y= */ 0);
  }

  void addAll(Words other) {
    addAll(other.words, other.size);
  }

  void addAll(long[] others, int count) {
    if (size + count > words.length) {
      words = Arrays.copyOf(words, Math.max(size + count, 2 * words.length));
    }
    System.arraycopy(others, 0, words, size, count);
    size += count;
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

  void emit(StateSink sink) {
    int at = 0;
    while (at < size) {
      int length = (int) words[at + 2];
      sink.accept(words[at], words[at + 1], words, at + HEAD, length);
      at += HEAD + length;
    }
  }
}
