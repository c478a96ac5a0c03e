package io.penstock.server.node;

import io.penstock.core.Policy;
import io.penstock.core.policy.Consistency;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.Turn.Ask;
import io.penstock.shard.Shard;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Orders for single keys: reset, block, override. Each is kept, and answers the generation it
 * belongs to. Thread-safe.
 */
final class KeyDesk {
  /** In place of the second hash of a note: tells orders from what is held. */
  private static final long ORDER = 0x6f72_6465_72L;

  private final Shard shard;
  private final Keys keys;
  private final KeyOrders orders;
  private final PolicyBook book;
  private final Decider decider;
  private boolean ended;

  KeyDesk(Shard shard, Keys keys, KeyOrders orders, PolicyBook book, Decider decider) {
    this.shard = shard;
    this.keys = keys;
    this.orders = orders;
    this.book = book;
    this.decider = decider;
  }

  /** Takes over the orders that were kept. */
  void restore(long nowNanos) {
    shard
        .notes()
        .forEach(
            (hash, check, bytes) -> {
              if (check == ORDER) {
                OrderNote note = OrderNote.read(bytes);
                Policy policy = note.policy();
                Grant grant = policy == null ? null : hold(policy, Counters.PLAIN);
                orders.put(
                    hash,
                    new KeyOrders.Order(
                        note.blockedUntil(), grant, note.grantUntil(), note.resetAt()),
                    nowNanos);
              }
            });
  }

  /** Gives back the rules that orders hold: whoever takes over holds them anew. */
  synchronized void end(long nowNanos) {
    ended = true;
    orders.forEachGrant(grant -> book.letGo(grant, nowNanos));
  }

  long reset(String domain, List<Descriptor> descriptors, long nowNanos) {
    long generation = shard.enter();
    try {
      /* Before and after: whoever takes meanwhile is reset too. */
      for (Descriptor descriptor : descriptors) {
        change(decider.counted(domain, descriptor), nowNanos, order -> order.resetAt(nowNanos));
      }
      decider.settle(
          domain,
          descriptors,
          nowNanos,
          (index, subject, turns) -> {
            for (int i = subject.from(); i < subject.to(); i++) {
              turns.turn(i).asks(Ask.RESET, /* cost= */ 0, /* ticket= */ 0);
            }
          });
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  long block(String domain, List<Descriptor> descriptors, long untilNanos, long nowNanos) {
    long generation = shard.enter();
    try {
      for (Descriptor descriptor : descriptors) {
        change(keys.of(domain, descriptor), nowNanos, order -> order.blockedUntil(untilNanos));
      }
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  long override(
      String domain, List<Descriptor> descriptors, Policy policy, long untilNanos, long nowNanos) {
    long generation = shard.enter();
    try {
      for (Descriptor descriptor : descriptors) {
        Placed placed = book.find(domain, descriptor);
        Grant now = placed == null ? null : placed.offer().grant();
        Counters counters =
            now == null ? Counters.PLAIN : now.counters().next(now.limits(), policy.limits());
        change(
            keys.of(domain, descriptor),
            nowNanos,
            order ->
                untilNanos > nowNanos
                    ? order.overriddenBy(hold(policy, counters), untilNanos)
                    : order.overriddenBy(null, 0));
      }
      /* Converts what the keys have used now: their old rules would let it be forgotten early. */
      decider.settle(domain, descriptors, nowNanos, (index, subject, turns) -> {});
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  private Grant hold(Policy policy, Counters counters) {
    Terms terms =
        new Terms(
            policy,
            Consistency.FAST,
            /* serviceClass= */ "",
            /* localCap= */ null,
            /* shadow= */ false,
            /* enabled= */ true,
            /* refunds= */ false,
            /* blocked= */ false,
            /* share= */ List.of());
    return book.hold(terms, counters);
  }

  private synchronized void change(
      long hash, long nowNanos, UnaryOperator<KeyOrders.Order> change) {
    if (ended) {
      throw UnavailableException.unkept();
    }
    KeyOrders.Order old = orders.of(hash, nowNanos);
    KeyOrders.Order next = change.apply(old);
    orders.put(hash, next, nowNanos);
    Grant before = old.grant();
    if (before != null && before != next.grant()) {
      book.letGo(before, nowNanos);
    }
    keep(hash, next, nowNanos);
  }

  private void keep(long hash, KeyOrders.Order order, long nowNanos) {
    if (order.end() <= nowNanos) {
      shard.notes().remove(hash, ORDER);
      return;
    }
    Grant grant = order.grant();
    @Nullable Policy policy = grant == null ? null : grant.terms().policy();
    OrderNote note =
        new OrderNote(hash, order.blockedUntil(), order.grantUntil(), order.resetAt(), policy);
    shard.notes().put(hash, ORDER, note.write(), order.end());
  }
}
