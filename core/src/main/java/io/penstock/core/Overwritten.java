package io.penstock.core;

import java.util.Arrays;

/** Entries of a log that were written over, newest on top. Confined to the thread that decides. */
final class Overwritten {
  private static final int WORDS = 3;

  private long[] words = new long[WORDS];
  private int size;

  void push(int index, long time, long amount) {
    if (size == words.length) {
      words = Arrays.copyOf(words, 2 * size);
    }
    words[size] = index;
    words[size + 1] = time;
    words[size + 2] = amount;
    size += WORDS;
  }

  /** Takes the newest away, to be read now; false if there is none. */
  boolean pop() {
    boolean found = size > 0;
    size -= found ? WORDS : 0;
    return found;
  }

  /** Of the entry popped last. */
  int index() {
    return (int) words[size];
  }

  long time() {
    return words[size + 1];
  }

  long amount() {
    return words[size + 2];
  }

  void clear() {
    size = 0;
  }
}
