package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Scope;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.RecentChecks;
import io.penstock.server.policy.Written;
import io.penstock.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where policies come into force: on the shards that are decided on at present, if there are any.
 * Thread-safe.
 *
 * <p>It outlives the nodes that decide by its policies, and the shards they decide on.
 */
public final class PolicyDesk {
  private static final int WAITING_MAX = 1 << 16;

  private final Rules rules;
  private final KnownCounters known = new KnownCounters();
  private final PolicyBook book;
  private final Keys keys;
  private final Clock clock;
  private final RecentChecks recent = new RecentChecks(RecentChecks.DEFAULT);
  private final Heat heat;
  private final List<Waiter> waiting = new ArrayList<>();
  private final List<Shard> current = new CopyOnWriteArrayList<>();

  /**
   * A desk without policies.
   *
   * @param rules those of every shard that is decided on
   * @param clock the time by which to decide while there is no shard
   */
  public PolicyDesk(Rules rules, Node.Secret secret, Clock clock) {
    this.rules = rules;
    this.clock = clock;
    this.keys = new Keys(secret.first(), secret.second());
    this.book = new PolicyBook(rules, known, new KeyHash(secret.second(), secret.first()));
    this.heat = new Heat(recent, this::shard);
  }

  Clock clock() {
    return clock;
  }

  PolicyBook book() {
    return book;
  }

  Keys keys() {
    return keys;
  }

  KnownCounters known() {
    return known;
  }

  /** The hash of a key whose limits come with the requests. */
  public long hash(byte[] key, int from, int length) {
    return KeyHash.slot(keys.of(key, from, length), GivenRules.COUNTER);
  }

  /** The id of each part of a check that has one: it belongs to all descriptors of the whole. */
  public @Nullable String partId(CheckRequest whole) {
    String id = whole.requestId();
    if (id == null) {
      return null;
    }
    Keys.Twin twin = keys.ofRequest(whole, id);
    return id + "/" + Long.toHexString(twin.hash()) + "/" + Long.toHexString(twin.check());
  }

  /** The shard of the counters that a key reads, as answers tell it. */
  public int shard(String domain, Descriptor descriptor) {
    long own = keys.of(domain, descriptor);
    return Signature.shard(keys.counted(domain, descriptor, own, book.find(domain, descriptor)));
  }

  /**
   * Has a shard built, on which changes are carried out from then on. No policy changes meanwhile:
   * what the shard takes over may be under rules that a change ends, and their numbers are given
   * again where no shard has states.
   */
  public synchronized Shard build(Supplier<Shard> building) {
    Shard shard = building.get();
    if (shard.rules() != rules) {
      throw new IllegalArgumentException("shard: one with other rules (expected: those of here)");
    }
    if (!current.contains(shard)) {
      current.add(shard);
    }
    return shard;
  }

  /** Whether changes are carried out on this shard. */
  boolean isCurrent(Shard shard) {
    return current.contains(shard);
  }

  /** Changes are no longer carried out on this shard; one that never came here may leave too. */
  public synchronized void leave(Shard shard) {
    current.remove(shard);
    shard.table().end();
  }

  /**
   * Which counters a document would read if it were put now; to be stored with it, so that it reads
   * them again after a restart. Empty for nearly every document.
   */
  public String counters(Kind kind, String name, String document) {
    return book.counters(kind, name, document).toString();
  }

  /** Takes over all documents as they were stored, tiers first, before anything is decided. */
  public void load(Consumer<Consumer<Change>> stored) {
    book.load(stored);
  }

  /** Learns from policies as they were before which counters keys may have. */
  public void loadPast(Consumer<Consumer<Change>> past) {
    known.load(past);
  }

  /** Puts a change in force for every check that begins after this returns. */
  public void apply(Change change) {
    putInForce(change);
    tellWaiting();
  }

  private synchronized void putInForce(Change change) {
    decideNothingMeanwhile(nowNanos -> book.apply(change, nowNanos, this::move));
    if (current.isEmpty()) {
      rules.sweptWithoutStates(clock.nanos());
    }
    /* Not between enter and leave: it takes longer than a decision, and each step stands alone. */
    current.forEach(shard -> shard.table().sweep(shard.clock().nanos()));
  }

  /**
   * Does something as one decision on each shard. Its time is that of the shard that is behind: so
   * that what ends now has ended on all of them. Without a shard there is nothing to convert, and
   * this node's clock may be wrong: then it is the beginning of all time, before which no shard
   * decides (R15).
   */
  private void decideNothingMeanwhile(LongConsumer task) {
    long nowNanos = current.isEmpty() ? 0 : Long.MAX_VALUE;
    long[] generations = new long[current.size()];
    for (int i = 0; i < generations.length; i++) {
      generations[i] = current.get(i).enter();
      nowNanos = Math.min(nowNanos, current.get(i).clock().nanos());
    }
    try {
      task.accept(nowNanos);
    } finally {
      for (int i = 0; i < generations.length; i++) {
        current.get(i).leave(generations[i]);
      }
    }
  }

  /**
   * Runs something once a change is in force: at once if it is, else on the thread that puts it in
   * force. False if too many wait already.
   */
  public boolean whenInForce(long revision, Runnable waiter) {
    synchronized (waiting) {
      if (book.revision() < revision) {
        return waiting.size() < WAITING_MAX && waiting.add(new Waiter(revision, waiter));
      }
    }
    waiter.run();
    return true;
  }

  private void tellWaiting() {
    List<Runnable> told = new ArrayList<>();
    synchronized (waiting) {
      long known = book.revision();
      waiting.removeIf(each -> each.revision <= known && told.add(each.task));
    }
    told.forEach(Runnable::run);
  }

  private record Waiter(long revision, Runnable task) {}

  /** The number of the newest change in force. */
  public long revision() {
    return book.revision();
  }

  /** How much is decided here, and on what. */
  public Heat heat() {
    return heat;
  }

  /** Remembers a check, to try proposed policies on, and to tell what is hot. */
  void remember(CheckRequest request, Decider.Verdict verdict, long nowNanos) {
    for (int i = 0; i < verdict.parts().size(); i++) {
      Asked asked = request.asked().get(i);
      String scope = verdict.parts().get(i).policy();
      recent.add(nowNanos, request.domain(), asked.descriptor(), asked.cost(), scope);
      heat.decided(verdict.subjects().get(i).hash());
    }
  }

  /** Says what is wrong with a proposed policy, as {@link #tryOut} does. */
  public void checkProposed(String scope, String document) {
    Scope.parse(scope);
    book.terms(document);
  }

  /** What a proposed policy would have done to the checks of late that were decided here. */
  public DryRun.Forecast tryOut(String scope, String document) {
    return DryRun.of(Scope.parse(scope), book.terms(document), recent);
  }

  /**
   * Carries out a write of a document that is not deleted. What keys have used beyond the new
   * capacity is to be forgiven afterwards, or else the writer is warned of it.
   */
  public Written write(Kind kind, String name, boolean forgives, Supplier<Written> put) {
    Supplier<@Nullable Grant> granted = granted(kind, name);
    Grant before = granted.get();
    Written written = put.get();
    Grant now = granted.get();
    if (forgives || before == null || now == null) {
      return written;
    }
    List<String> warnings = new ArrayList<>(written.warnings());
    for (Limit limit : before.lowered(now)) {
      warnings.add(
          "keys that have used more than "
              + limit.capacity()
              + " wait until it has drained at "
              + limit
              + "; forgive=true cuts what they owe");
    }
    return new Written(written.version(), warnings);
  }

  /** What keys are under at a scope, or wherever limits of a tier apply, each time it is asked. */
  private Supplier<@Nullable Grant> granted(Kind kind, String name) {
    if (kind == Kind.TIER) {
      Offer offer = book.offerLike(name);
      return () -> offer == null ? null : offer.grant();
    }
    try {
      Scope scope = Scope.parse(name);
      return () -> book.grant(scope);
    } catch (IllegalArgumentException noScope) {
      // The store says what is wrong with it.
      return () -> null;
    }
  }

  /** Cuts what keys owe beyond the capacity of a document. */
  public synchronized void forgive(Kind kind, String name) {
    decideNothingMeanwhile(nowNanos -> book.forgive(kind, name, nowNanos));
  }

  /*
   * First to the grant it comes from: a state that nobody has touched since may be older than that.
   */
  /** Brings what one key has used from one grant to another, now. */
  private void move(String domain, Descriptor key, @Nullable Grant from, @Nullable Grant to) {
    if (to == null || from == null) {
      return;
    }
    long hash = keys.of(domain, key);
    Turn turn = new Turn();
    for (Shard shard : current) {
      long nowNanos = shard.clock().nanos();
      for (int i = 0; i < to.size(); i++) {
        Rule before = from.withCounter(to.counter(i));
        long slot = KeyHash.slot(hash, to.counter(i));
        if (before != null) {
          shard.table().play(turn.of(slot, before, nowNanos).asks(/* signedCost= */ 0));
        }
        turn.of(slot, to.rule(i), nowNanos).after(before, nowNanos).asks(/* signedCost= */ 0);
        shard.table().play(turn);
      }
    }
  }
}
