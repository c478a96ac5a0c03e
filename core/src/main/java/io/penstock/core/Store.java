package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * A place of your own for states, by key. The limiter calls it for one key from one thread at a
 * time; calls for different keys may come together, so it must be thread-safe as a map is.
 *
 * <p>It is called in the middle of a decision, while the key is held. It may ask other limiters, as
 * to limit its own calls, but neither the one it belongs to, nor one that is ever decided together
 * with that ({@link Limiter#tryAcquireAll}), nor one whose store asks this one: that would wait for
 * itself, or count wrong. What it asks must not wait long, since others wait for the key.
 *
 * <p>A store belongs to one limiter at a time. It may outlive it: the next limiter on the store
 * reads what it finds as if its policy had replaced the one before when it was built, limit by
 * limit in their order, so what was used stays used. For that, keys must hash as before ({@link
 * LimiterBuilder#hashSecret}) and the clock go on. A state that the next limiter cannot read, as of
 * an algorithm it does not know, counts as a limit that was used up when it was built. A limiter
 * that finds the states of a younger one of its process throws {@link IllegalStateException}.
 *
 * <p>A store that cannot answer throws an unchecked exception of its own. Then the {@link
 * Policy#failMode} answers the check, counted as refused, and what the check has put already is put
 * back, as far as the store lets it; nobody else hears of the exception, so a store that wants it
 * known logs it. Giving back, settling a reservation and {@link Limiter#reset} have no fail mode:
 * they put back what was there too, and throw the exception.
 */
public interface Store {
  /** The state kept for the key, or null. */
  long @Nullable [] get(long key);

  /**
   * Keeps a state. The array is the store's from now on. Its first word is the instant, in
   * nanoseconds of the limiter's clock, from which the state may be forgotten; the others are the
   * limiter's own.
   */
  void put(long key, long[] state);

  /** Forgets the state of a key. */
  void remove(long key);
}
