package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.shard.NotesFullException;
import io.penstock.shard.Shard;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Orders for single keys: reset, block, override. Each is kept, and answers the generation it
 * belongs to. Thread-safe.
 */
final class KeyDesk {
  /** In place of the second hash of a note: tells orders from what is held. */
  static final long ORDER = 0x6f72_6465_72L;

  private static final int FORGOTTEN_AT_ONCE = 64;

  private final Shard shard;
  private final Keys keys;
  private final KeyOrders orders;
  private final PolicyBook book;
  private final Overrides overrides;
  private final Decider decider;
  private final Emptying emptying;
  private final Estate estate;
  private boolean ended;

  KeyDesk(Shard shard, KeyOrders orders, PolicyDesk policies, Decider decider, Estate estate) {
    this.shard = shard;
    this.keys = policies.keys();
    this.orders = orders;
    this.book = policies.book();
    this.overrides = new Overrides(book);
    this.decider = decider;
    this.emptying = new Emptying(decider, shard.table(), policies.known());
    this.estate = estate;
  }

  /** Takes over the orders that were kept. */
  void restore(long nowNanos) {
    shard
        .notes()
        .forEach(
            (hash, check, bytes) -> {
              if (check == ORDER) {
                OrderNote note = OrderNote.read(bytes);
                OrderNote.Kept kept = note.override();
                orders.put(
                    hash,
                    new KeyOrders.Order(
                        note.blockedUntil(),
                        kept == null ? null : overrides.kept(kept),
                        note.resetAt()),
                    nowNanos);
              }
            });
  }

  /**
   * Takes over an order of another group, as far as there is none here or an older one (R23).
   *
   * @param more how far time is ahead of that there
   */
  synchronized void adopt(OrderNote there, long more, long nowNanos) {
    OrderNote note = there.later(more, nowNanos);
    if (note.endNanos() > nowNanos && note.tellsMoreThan(orders.of(note.hash()))) {
      change(note.hash(), nowNanos, here -> joined(note, here));
    }
  }

  /* Of the order as it is by then: one that is over has let its rules go. */
  private KeyOrders.Order joined(OrderNote note, KeyOrders.Order here) {
    OrderNote.Kept kept = note.override();
    return new KeyOrders.Order(
        Math.max(here.blockedUntil(), note.blockedUntil()),
        kept != null && kept.isNewerThan(here.override()) ? overrides.kept(kept) : here.override(),
        here.resetAt() == 0 ? note.resetAt() : here.resetAt());
  }

  /** When the counters of a hash were last reset; 0 if nobody remembers. */
  long resetAt(long hash) {
    return orders.of(hash).resetAt();
  }

  /** Gives back the rules that orders hold: whoever takes over holds them anew. */
  synchronized void end(long nowNanos) {
    ended = true;
    orders.clear(grant -> book.letGo(grant, nowNanos));
  }

  long reset(String domain, List<Descriptor> descriptors, long nowNanos) {
    long generation = shard.enter();
    try {
      requireStill(domain, descriptors);
      noteReset(domain, descriptors, nowNanos);
      emptying.empty(domain, descriptors, nowNanos);
      /* Whoever took meanwhile was reset too. */
      noteReset(domain, descriptors, nowNanos);
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  private void noteReset(String domain, List<Descriptor> descriptors, long nowNanos) {
    for (Descriptor descriptor : descriptors) {
      order(decider.counted(domain, descriptor), nowNanos, order -> order.resetAt(nowNanos));
    }
  }

  long block(String domain, List<Descriptor> descriptors, long untilNanos, long nowNanos) {
    long generation = shard.enter();
    try {
      for (Descriptor descriptor : descriptors) {
        order(keys.of(domain, descriptor), nowNanos, order -> blocked(order, untilNanos, nowNanos));
      }
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  private KeyOrders.Order blocked(KeyOrders.Order order, long untilNanos, long nowNanos) {
    if (untilNanos <= nowNanos || untilNanos < order.blockedUntil()) {
      requireNoCopies();
    }
    return order.blockedUntil(untilNanos);
  }

  /** What a copy on its way would undo: whoever asks asks again. */
  private void requireNoCopies() {
    if (estate.isCopyingOrders()) {
      throw new UnavailableException(
          "orders: on their way with a shard (expected: soon no more, then ask again)");
    }
  }

  /** Returns when no order is changed any more by somebody who has not heard of what is frozen. */
  synchronized void awaitChange() {}

  long override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilNanos,
      long nowNanos) {
    long generation = shard.enter();
    try {
      requireStill(domain, descriptors);
      /*
       * Before and after: what the keys have used comes under the rules in force until now, then
       * under the next ones. Later, nobody could tell when that was.
       */
      convert(domain, descriptors, nowNanos);
      for (Descriptor descriptor : descriptors) {
        Placed placed = book.find(domain, descriptor);
        Grant general = placed == null ? null : placed.offer().grant();
        order(
            keys.of(domain, descriptor),
            nowNanos,
            order ->
                untilNanos > nowNanos
                    ? order.overriddenBy(
                        overrides.next(order.override(), general, limits, untilNanos, nowNanos))
                    : ended(order, nowNanos));
      }
      convert(domain, descriptors, nowNanos);
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  private KeyOrders.Order ended(KeyOrders.Order order, long nowNanos) {
    requireNoCopies();
    return order.overriddenBy(Overrides.ended(order.override(), nowNanos));
  }

  /** What is on its way from one group to another would not hear of it: whoever asks asks again. */
  private void requireStill(String domain, List<Descriptor> descriptors) {
    for (Descriptor descriptor : descriptors) {
      long hash = decider.counted(domain, descriptor);
      if (estate.isMoving(hash)) {
        throw new UnavailableException(
            "shard: " + Signature.shard(hash) + ", which moves (expected: soon no more)");
      }
    }
  }

  private void convert(String domain, List<Descriptor> descriptors, long nowNanos) {
    List<Asked> looks =
        descriptors.stream().map(each -> new Asked(each, /* cost= */ 0, null)).toList();
    decider.settle(domain, looks, nowNanos, (index, subject) -> {});
  }

  /**
   * Whether what room there is for notes is for orders only. If so, those leave that are merely
   * remembered: what was used under them counts less exactly then.
   */
  boolean isCrowded(long nowNanos) {
    if (shard.notes().isCrowded()) {
      forgetDispensable(nowNanos);
    }
    return shard.notes().isCrowded();
  }

  private synchronized void forgetDispensable(long nowNanos) {
    forgetSome(orders::forgetDispensable, nowNanos);
  }

  /** Not all that there are: somebody waits. */
  private void forgetSome(LongFunction<KeyOrders.@Nullable Forgotten> next, long nowNanos) {
    for (int i = 0; i < FORGOTTEN_AT_ONCE; i++) {
      KeyOrders.Forgotten forgotten = next.apply(nowNanos);
      if (forgotten == null) {
        return;
      }
      shard.notes().remove(forgotten.hash(), ORDER);
      letGo(forgotten.order().override(), /* kept= */ null, nowNanos);
    }
  }

  /** Changes what somebody has ordered: whoever did asks again where there is no room. */
  private void order(long hash, long nowNanos, UnaryOperator<KeyOrders.Order> change) {
    try {
      change(hash, nowNanos, change);
    } catch (NotesFullException full) {
      throw new UnavailableException(String.valueOf(full.getMessage()));
    }
  }

  private synchronized void change(
      long hash, long nowNanos, UnaryOperator<KeyOrders.Order> change) {
    if (ended) {
      throw UnavailableException.unkept();
    }
    forgetSome(orders::forgetEnded, nowNanos);
    if (shard.notes().isCrowded()) {
      forgetDispensable(nowNanos);
    }
    KeyOrders.Order old = orders.of(hash);
    KeyOrders.Order next = change.apply(old);
    try {
      keep(hash, next, nowNanos);
    } catch (NotesFullException e) {
      letGo(next.override(), /* kept= */ old.override(), nowNanos);
      throw e;
    }
    orders.put(hash, next, nowNanos);
    letGo(old.override(), next.end() <= nowNanos ? null : next.override(), nowNanos);
  }

  private void letGo(@Nullable KeyOverride left, @Nullable KeyOverride kept, long nowNanos) {
    if (left != null && (kept == null || kept.grant() != left.grant())) {
      book.letGo(left.grant(), nowNanos);
    }
  }

  private void keep(long hash, KeyOrders.Order order, long nowNanos) {
    if (order.end() <= nowNanos) {
      shard.notes().remove(hash, ORDER);
      return;
    }
    KeyOverride override = order.override();
    OrderNote note =
        new OrderNote(
            hash,
            order.blockedUntil(),
            order.resetAt(),
            override == null ? null : OrderNote.Kept.of(override));
    shard.notes().put(hash, ORDER, note.write(), order.end());
  }
}
