package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
import io.penstock.shard.Shard;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node that decides, on a shard of its own. Thread-safe.
 *
 * <p>An answer leaves on the caller's thread if it may leave at once, on that of the shard's log if
 * it must wait until it is kept. Policies outlive this node: another one may follow it, on another
 * shard with the same rules.
 */
public final class LocalNode implements Node {
  private static final ThreadLocal<Turn> TURN = ThreadLocal.withInitial(Turn::new);

  private final Shard shard;
  private final Keys keys;
  private final Clock clock;
  private final Decider decider;
  private final Answering answering;
  private final Holdings holdings;
  private final Stakes stakes;
  private final KeyDesk desk;
  private final PolicyDesk policies;
  private final Estate estate;
  private final Removals removals;

  /** A node that is alone, with policies of its own. */
  public LocalNode(String name, Shard shard, Secret secret) {
    this(Signature.alone(name), shard, desk(shard, secret), Extent.ALL);
  }

  private static PolicyDesk desk(Shard shard, Secret secret) {
    PolicyDesk desk = new PolicyDesk(shard.rules(), secret, shard.clock());
    desk.build(() -> shard);
    return desk;
  }

  /**
   * A node that decides by policies on a shard that was built at their desk.
   *
   * @param signature what its answers say of who decided
   * @param extent what it decides on, but for what was moved since (R23)
   */
  public LocalNode(Signature signature, Shard shard, PolicyDesk policies, Extent extent) {
    if (!policies.isCurrent(shard)) {
      throw new IllegalArgumentException(
          "shard: another (expected: the one that PolicyDesk.build has answered last)");
    }
    this.shard = shard;
    this.clock = shard.clock();
    this.policies = policies;
    this.keys = policies.keys();
    KeyOrders orders = new KeyOrders();
    PolicyBook book = policies.book();
    this.estate = new Estate(extent, shard);
    this.decider = new Decider(book, keys, orders, shard.table(), estate::has);
    this.answering = new Answering(signature.in(estate::generation), shard, decider, policies);
    this.desk = new KeyDesk(shard, orders, policies, decider, estate);
    this.removals = new Removals(shard, policies, estate, answering, desk);
    Reservations reservations = new Reservations(decider, desk::isCrowded);
    this.holdings = new Holdings(shard, keys, reservations, answering, estate);
    this.stakes = new Stakes(shard, keys, reservations, answering, estate);
    desk.restore(clock.nanos());
  }

  /** Decides no more: what it still answers is not kept. Policies go on without it. */
  public void end() {
    policies.leave(shard);
    desk.end(clock.nanos());
  }

  @Override
  public PolicyDesk policies() {
    return policies;
  }

  /** Has shards leave and arrive. */
  public Removals removals() {
    return removals;
  }

  @Override
  public void check(CheckRequest request, Asker<Answer> done) {
    if (request.requestId() != null) {
      new Repeated(shard, keys, decider, answering, estate).check(request, clock, done);
    } else {
      decide(request, /* isUndoable= */ false, done);
    }
  }

  /**
   * Decides a check whose asker may give up waiting.
   *
   * @return gives back what it took, at most once; null if it took nothing, is not strict, or has
   *     an id, by which its asker can still get the answer (R20)
   */
  public @Nullable Runnable checkUndoably(CheckRequest request, Asker<Answer> done) {
    if (request.requestId() != null) {
      check(request, done);
      return null;
    }
    return decide(request, /* isUndoable= */ true, done);
  }

  /**
   * Decides a part of a check whose other parts are decided elsewhere, all or nothing (R21).
   *
   * @param id by which it can be taken back for a while
   */
  public void checkPart(CheckRequest part, HoldingId id, Asker<Answer> done) {
    stakes.take(part, id, done);
  }

  /** Takes a part of a check back, whether it has come or not, and looks at keys then. */
  public void takeBack(HoldingId id, CheckRequest look, Asker<Answer> done) {
    stakes.takeBack(id, look);
    check(look, done);
  }

  private @Nullable Runnable decide(CheckRequest request, boolean isUndoable, Asker<Answer> done) {
    long generation = shard.enter();
    Decider.Verdict verdict;
    long nowNanos = clock.nanos();
    try {
      verdict = decider.decide(request, nowNanos, answering.isKept());
    } finally {
      shard.leave(generation);
    }
    Holding taken =
        isUndoable && verdict.isStrict() && verdict.hasConsumed()
            ? holdings.taken(request, verdict)
            : null;
    Answer answer = answering.answer(request, verdict, nowNanos);
    answering.deliver(request, answer, generation, nowNanos, done);
    return taken == null ? null : () -> holdings.undo(taken);
  }

  @Override
  public long hash(byte[] key, int from, int length) {
    return policies.hash(key, from, length);
  }

  @Override
  public long touch(long hash) {
    return shard.table().touch(hash);
  }

  @Override
  public long nanos() {
    return clock.nanos();
  }

  @Override
  public @Nullable Throttled throttle(
      long hash,
      Limit limit,
      long cost,
      long nowNanos,
      Supplier<? extends Asker<Throttled>> later) {
    Turn turn = TURN.get();
    long generation = shard.enter();
    try {
      estate.require(hash);
      shard.table().play(turn.of(hash, GivenRules.bucket(limit), nowNanos).asks(cost));
    } finally {
      shard.leave(generation);
    }
    policies.heat().decided(hash);
    /* The protocol cannot say what it is worth; alone it can only be slower while the disk is. */
    Throttled answer = Throttled.of(turn);
    if (shard.keepsUp(nowNanos) || !shard.isReplicated()) {
      return answer;
    }
    answering.whenKept(answer, generation, later.get());
    return null;
  }

  @Override
  public void forget(long hash, Asker<Boolean> done) {
    Turn turn = TURN.get();
    long generation = shard.enter();
    try {
      estate.require(hash);
      turn.of(hash, GivenRules.ANY, clock.nanos()).asks(Ask.RESET, /* cost= */ 0, /* ticket= */ 0);
      shard.table().play(turn);
    } finally {
      shard.leave(generation);
    }
    boolean hadState = turn.hadState();
    if (shard.isReplicated()) {
      answering.whenKept(hadState, generation, done);
    } else {
      done.accept(hadState);
    }
  }

  @Override
  public void reserve(CheckRequest request, long ttlMillis, Asker<Held> done) {
    var unused = reserveUndoably(request, ttlMillis, done);
  }

  /** The same for somebody who may give up waiting; answers as {@link #checkUndoably} does. */
  public @Nullable Runnable reserveUndoably(
      CheckRequest request, long ttlMillis, Asker<Held> done) {
    long ttl = Reservations.nanos("ttlMs", ttlMillis);
    return holdings.take(request, ttl, /* leaseNanos= */ 0, done);
  }

  @Override
  public void commit(String id, long cost, Asker<Settled> done) {
    if (cost < 0) {
      throw new IllegalArgumentException("cost: " + cost + " (expected: >= 0)");
    }
    holdings.settle(id, cost, clock.nanos(), done);
  }

  @Override
  public void cancel(String id, Asker<Settled> done) {
    holdings.settle(id, /* realCost= */ 0, clock.nanos(), done);
  }

  /** Gives a reservation or a lease back as if it had never been. */
  public void giveBack(String id, Asker<Settled> done) {
    holdings.giveBack(id, clock.nanos(), done);
  }

  @Override
  public void acquire(CheckRequest request, long leaseMillis, Asker<Held> done) {
    var unused = acquireUndoably(request, leaseMillis, done);
  }

  /** The same for somebody who may give up waiting; answers as {@link #checkUndoably} does. */
  public @Nullable Runnable acquireUndoably(
      CheckRequest request, long leaseMillis, Asker<Held> done) {
    long lease = leaseMillis == LEASE_OF_POLICY ? 0 : Reservations.nanos("leaseMs", leaseMillis);
    return holdings.take(request, /* ttlNanos= */ 0, lease, done);
  }

  @Override
  public void renew(String id, Asker<Settled> done) {
    holdings.renew(id, clock.nanos(), done);
  }

  @Override
  public void release(String id, Asker<Settled> done) {
    holdings.release(id, clock.nanos(), done);
  }

  @Override
  public void reset(String domain, List<Descriptor> descriptors, Asker<Durability> done) {
    answering.durable(desk.reset(domain, descriptors, clock.nanos()), done);
  }

  @Override
  public void block(
      String domain, List<Descriptor> descriptors, long untilMillis, Asker<Durability> done) {
    answering.durable(desk.block(domain, descriptors, atNanos(untilMillis), clock.nanos()), done);
  }

  @Override
  public void override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilMillis,
      Asker<Durability> done) {
    answering.durable(
        desk.override(domain, descriptors, limits, atNanos(untilMillis), clock.nanos()), done);
  }

  @Override
  public void forgive(Kind kind, String name, Asker<Boolean> done) {
    policies.forgive(kind, name);
    done.accept(true);
  }

  @Override
  public void tryOut(String scope, String document, Asker<DryRun.Forecast> done) {
    done.accept(policies.tryOut(scope, document));
  }

  /** An instant in Unix milliseconds, on the clock of this node, which counts from there too. */
  private static long atNanos(long millis) {
    long max = Long.MAX_VALUE / 2 / 1_000_000;
    return Math.max(0, Math.min(millis, max)) * 1_000_000;
  }
}
