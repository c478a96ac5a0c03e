package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A place of your own for states, by key. The limiter calls it for one key from one thread at a
 * time; calls for different keys may come together, so it must be thread-safe as a map is.
 */
public interface Store {
  /** The state kept for the key, or null. */
  long @Nullable [] get(long key);

  /**
   * Keeps a state. The array is the store's from now on. Its first word is the instant, in
   * nanoseconds of the limiter's clock, from which the state may be forgotten.
   */
  void put(long key, long[] state);

  /** Forgets the state of a key. */
  void remove(long key);
}
