package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Clock;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import io.penstock.shard.Shard;
import java.time.Duration;
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
  /** In place of a lease: as long as the limit says. */
  public static final long LEASE_OF_POLICY = 0;

  private static final ThreadLocal<Turn> TURN = ThreadLocal.withInitial(Turn::new);

  private final Shard shard;
  private final Keys keys;
  private final Clock clock;
  private final Decider decider;
  private final Answering answering;
  private final Holdings holdings;
  private final KeyDesk desk;
  private final PolicyDesk policies;

  public Node(String name, Shard shard, Secret secret, Clock clock) {
    this.shard = shard;
    this.clock = clock;
    this.keys = new Keys(secret.first(), secret.second());
    KeyOrders orders = new KeyOrders();
    PolicyBook book = new PolicyBook(shard.rules(), new KeyHash(secret.second(), secret.first()));
    this.decider = new Decider(book, keys, orders, shard.table());
    this.answering = new Answering(name, shard);
    this.holdings = new Holdings(shard, keys, clock, new Reservations(decider, orders), answering);
    this.desk = new KeyDesk(shard, keys, orders, book, decider);
    this.policies = new PolicyDesk(shard, book, keys, clock);
    desk.restore(clock.nanos());
  }

  /** What keeps others from aiming collisions of keys; one per data folder. */
  public record Secret(long first, long second) {}

  /** Where policies come into force. */
  public PolicyDesk policies() {
    return policies;
  }

  /** Decides a check. */
  public void check(CheckRequest request, Consumer<Answer> done) {
    if (request.requestId() != null) {
      new Repeated(shard, keys, decider, answering).check(request, clock, done);
      return;
    }
    long generation = shard.enter();
    Decider.Verdict verdict;
    long nowNanos = clock.nanos();
    try {
      verdict = decider.decide(request, nowNanos, shard.isDurable());
    } finally {
      shard.leave(generation);
    }
    policies.remember(request, verdict, nowNanos);
    answering.deliver(answering.answer(verdict), generation, nowNanos, done);
  }

  /** The hash of a key whose limits come with the requests. */
  public long hash(byte[] key, int from, int length) {
    return KeyHash.slot(keys.of(key, from, length), GivenRules.COUNTER);
  }

  /**
   * Brings the state of a key near. Done for several keys before they are decided, it makes their
   * ways to memory overlap. What it answers means nothing, but must be used.
   */
  public long touch(long hash) {
    return shard.table().touch(hash);
  }

  /** The time by which checks are decided. */
  public long nanos() {
    return clock.nanos();
  }

  /**
   * Decides a check of one key whose limit comes with the request; state stands as it is.
   *
   * @param hash what {@link #hash} says of the key
   * @param nowNanos what {@link #nanos} said, a moment ago: one time for keys that came together
   */
  public Throttled throttle(long hash, Limit limit, long cost, long nowNanos) {
    Turn turn = TURN.get();
    long generation = shard.enter();
    try {
      shard.table().play(turn.of(hash, GivenRules.bucket(limit), nowNanos).asks(cost));
    } finally {
      shard.leave(generation);
    }
    /* The protocol cannot say what it is worth; it can only be slower while the disk is. */
    shard.keepsUp(nowNanos);
    return Throttled.of(turn);
  }

  /** Forgets what was counted by {@link #throttle} for a key; false if there was nothing. */
  public boolean forget(byte[] key, int from, int length) {
    Turn turn = TURN.get();
    long generation = shard.enter();
    try {
      turn.of(hash(key, from, length), GivenRules.ANY, clock.nanos())
          .asks(Ask.RESET, /* cost= */ 0, /* ticket= */ 0);
      shard.table().play(turn);
    } finally {
      shard.leave(generation);
    }
    return turn.hadState();
  }

  /** Takes the cost of a check now; the real one is told later, before some time is over. */
  public void reserve(CheckRequest request, long ttlMillis, Consumer<Held> done) {
    long ttl = nanos("ttlMs", ttlMillis);
    holdings.take(request, ttl, /* leaseNanos= */ 0, done);
  }

  /** Settles a reservation for its real cost. */
  public void commit(String id, long cost, Consumer<Settled> done) {
    if (cost < 0) {
      throw new IllegalArgumentException("cost: " + cost + " (expected: >= 0)");
    }
    holdings.settle(id, cost, clock.nanos(), done);
  }

  /** Gives a reservation back. */
  public void cancel(String id, Consumer<Settled> done) {
    holdings.settle(id, /* realCost= */ 0, clock.nanos(), done);
  }

  /** Takes concurrent slots until they are released or their lease ends. */
  public void acquire(CheckRequest request, long leaseMillis, Consumer<Held> done) {
    long lease = leaseMillis == LEASE_OF_POLICY ? 0 : nanos("leaseMs", leaseMillis);
    holdings.take(request, lease, lease, done);
  }

  public void renew(String id, Consumer<Settled> done) {
    holdings.renew(id, clock.nanos(), done);
  }

  public void release(String id, Consumer<Settled> done) {
    holdings.settle(id, /* realCost= */ 0, clock.nanos(), done);
  }

  /** Forgets what keys have used. */
  public void reset(String domain, List<Descriptor> descriptors, Consumer<Durability> done) {
    answering.durable(desk.reset(domain, descriptors, clock.nanos()), done);
  }

  /** Denies keys everything until an instant; one in the past ends that. */
  public void block(
      String domain, List<Descriptor> descriptors, long untilMillis, Consumer<Durability> done) {
    answering.durable(desk.block(domain, descriptors, atNanos(untilMillis), clock.nanos()), done);
  }

  /** Puts keys under other limits until an instant; one in the past ends that. */
  public void override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilMillis,
      Consumer<Durability> done) {
    Policy policy = new Policy(limits, Algorithm.GCRA, FailMode.OPEN);
    answering.durable(
        desk.override(domain, descriptors, policy, atNanos(untilMillis), clock.nanos()), done);
  }

  private static long nanos(String name, long millis) {
    long max = Reservations.TTL_NANOS_MAX / 1_000_000;
    if (millis < 1 || millis > max) {
      throw new IllegalArgumentException(name + ": " + millis + " (expected: 1.." + max + ")");
    }
    return Duration.ofMillis(millis).toNanos();
  }

  /** An instant in Unix milliseconds, on the clock of this node, which counts from there too. */
  private static long atNanos(long millis) {
    long max = Long.MAX_VALUE / 2 / 1_000_000;
    return Math.max(0, Math.min(millis, max)) * 1_000_000;
  }
}
