package io.penstock.core.state;

/** Takes states one by one, in no particular order. */
@FunctionalInterface
public interface StateSink {
  /**
   * One state. Its words are until, x, y (0 with a log), then time and amount of each entry of its
   * log; the array belongs to the caller and changes after the call.
   *
   * @param hash of the key, as far as the table knows it: all but two bits if it has 4,096 stripes
   * @param rule the serial number of the rule it was written under
   * @param words where its words are
   * @param from the index of the first of them
   * @param length how many they are
   */
  void accept(long hash, long rule, long[] words, int from, int length);
}
