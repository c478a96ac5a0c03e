package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import java.util.List;
import java.util.function.Consumer;

/**
 * The node: decides every check of every protocol. Thread-safe.
 *
 * <p>An answer is handed to a consumer: on the caller's thread if it may leave at once, on that of
 * the journal if it must wait for the disk. A consumer must not block, and goes back to its own
 * event loop itself.
 */
public final class Node {
  /** Decides a check. */
  public void check(CheckRequest request, Consumer<Answer> done) {
    throw new UnsupportedOperationException();
  }

  /** Decides a check of one key whose limit comes with the request; state stands as it is. */
  public Throttled throttle(byte[] key, int from, int length, Limit limit, long cost) {
    throw new UnsupportedOperationException();
  }

  /** Forgets what was counted by {@link #throttle} for a key; false if there was nothing. */
  public boolean forget(byte[] key, int from, int length) {
    throw new UnsupportedOperationException();
  }

  /** Takes the cost of a check now; the real one is told later, before some time is over. */
  public void reserve(CheckRequest request, long ttlMillis, Consumer<Held> done) {
    throw new UnsupportedOperationException();
  }

  /** Settles a reservation for its real cost. */
  public void commit(String id, long cost, Consumer<Settled> done) {
    throw new UnsupportedOperationException();
  }

  /** Gives a reservation back. */
  public void cancel(String id, Consumer<Settled> done) {
    throw new UnsupportedOperationException();
  }

  /** Takes concurrent slots until they are released or their lease ends. */
  public void acquire(CheckRequest request, long leaseMillis, Consumer<Held> done) {
    throw new UnsupportedOperationException();
  }

  public void renew(String id, Consumer<Settled> done) {
    throw new UnsupportedOperationException();
  }

  public void release(String id, Consumer<Settled> done) {
    throw new UnsupportedOperationException();
  }

  /** Forgets what keys have used. */
  public void reset(String domain, List<Descriptor> descriptors, Consumer<Durability> done) {
    throw new UnsupportedOperationException();
  }

  /** Denies keys everything until an instant; one in the past ends that. */
  public void block(
      String domain, List<Descriptor> descriptors, long untilMillis, Consumer<Durability> done) {
    throw new UnsupportedOperationException();
  }

  /** Puts keys under other limits until an instant; one in the past ends that. */
  public void override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilMillis,
      Consumer<Durability> done) {
    throw new UnsupportedOperationException();
  }
}
