package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node: answers every check of every protocol, wherever it is decided. Thread-safe.
 *
 * <p>An answer is handed to whoever asked: on the caller's thread if it is known at once, else on
 * that of the journal or of another node's answer. What is wrong with a question is thrown, or told
 * the same way.
 */
public interface Node {
  /** In place of a lease: as long as the limit says. */
  long LEASE_OF_POLICY = 0;

  /** What keeps others from aiming collisions of keys; one per data folder. */
  record Secret(long first, long second) {}

  /** Where policies come into force. */
  PolicyDesk policies();

  /** Decides a check. */
  void check(CheckRequest request, Asker<Answer> done);

  /** The hash of a key whose limits come with the requests. */
  long hash(byte[] key, int from, int length);

  /**
   * Brings the state of a key near. Done for several keys before they are decided, it makes their
   * ways to memory overlap. What it answers means nothing, but must be used.
   */
  long touch(long hash);

  /** The time by which checks are decided. */
  long nanos();

  /**
   * Decides a check of one key whose limit comes with the request; state stands as it is.
   *
   * @param hash what {@link #hash} says of the key
   * @param nowNanos what {@link #nanos} said, a moment ago: one time for keys that came together
   * @param later makes who is told, if the answer is not known at once
   * @return the answer, or null if it comes later
   */
  @Nullable Throttled throttle(
      long hash, Limit limit, long cost, long nowNanos, Supplier<? extends Asker<Throttled>> later);

  /** Forgets what was counted by {@link #throttle} for a key; false if there was nothing. */
  void forget(long hash, Asker<Boolean> done);

  /** Takes the cost of a check now; the real one is told later, before some time is over. */
  void reserve(CheckRequest request, long ttlMillis, Asker<Held> done);

  /** Settles a reservation for its real cost. */
  void commit(String id, long cost, Asker<Settled> done);

  /** Gives a reservation back. */
  void cancel(String id, Asker<Settled> done);

  /** Takes concurrent slots until they are released or their lease ends. */
  void acquire(CheckRequest request, long leaseMillis, Asker<Held> done);

  void renew(String id, Asker<Settled> done);

  void release(String id, Asker<Settled> done);

  /** Forgets what keys have used. */
  void reset(String domain, List<Descriptor> descriptors, Asker<Durability> done);

  /**
   * Cuts what keys owe beyond the capacity of a document, where they are counted. May wait for a
   * change of policies.
   */
  void forgive(Kind kind, String name, Asker<Boolean> done);

  /**
   * What a proposed policy would have done to the checks of late, where they were decided. Takes
   * its time.
   */
  void tryOut(String scope, String document, Asker<DryRun.Forecast> done);

  /** Denies keys everything until an instant; one in the past ends that. */
  void block(String domain, List<Descriptor> descriptors, long untilMillis, Asker<Durability> done);

  /** Puts keys under other limits until an instant; one in the past ends that. */
  void override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilMillis,
      Asker<Durability> done);
}
