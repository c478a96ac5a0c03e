package io.penstock.core.state;

/**
 * A place where states live, cut into stripes that are locked one by one. Thread-safe.
 *
 * <p>One key is decided by {@link #play}. Several are decided together by {@link Together}, which
 * locks their stripes in ascending order, of {@link #order} first.
 */
public interface States {
  /** Decides one turn and keeps its state. */
  void play(Turn turn);

  /** Where this place comes in the order of locking. */
  long order();

  int stripe(long hash);

  void lock(int stripe);

  void unlock(int stripe);

  /** The generation that has not ended; read once, when all stripes are locked (R9). */
  long number();

  /** Says that a locked stripe may be written to by a decision that read that number. */
  void beforeWrites(int stripe, long number);

  /** Reads the state of a turn, whose stripe is locked, and begins it; full if it cannot. */
  void load(Turn turn);

  /** Does of keeping a turn that was played what may fail; false when it did. */
  boolean reserve(Turn turn);

  /** Keeps the state of a turn that has room. */
  void keep(Turn turn);

  /** Takes back what {@link #reserve} did for a turn that is not kept after all. */
  void release(Turn turn);

  /** Rewrites states of ended rules in a share of all stripes: enough for one more rule (R12). */
  void sweep(long nowNanos);

  /** Bytes in use. */
  long bytes();

  /** Bytes this place may use at most. */
  long bytesMax();
}
