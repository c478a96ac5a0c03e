package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Consistency;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.Turn.Ask;
import io.penstock.server.policy.LimitChecks;
import io.penstock.shard.NotesFullException;
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
  static final long ORDER = 0x6f72_6465_72L;

  private final Shard shard;
  private final Keys keys;
  private final KeyOrders orders;
  private final PolicyBook book;
  private final Decider decider;
  private final Estate estate;
  private boolean ended;

  KeyDesk(Shard shard, KeyOrders orders, PolicyDesk policies, Decider decider, Estate estate) {
    this.shard = shard;
    this.keys = policies.keys();
    this.orders = orders;
    this.book = policies.book();
    this.decider = decider;
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
                        note.blockedUntil(), kept == null ? null : restored(kept), note.resetAt()),
                    nowNanos);
              }
            });
  }

  private KeyOverride restored(OrderNote.Kept kept) {
    OrderNote.Limits own = kept.own();
    OrderNote.Limits before = kept.before();
    return new KeyOverride(
        book.hold(terms(own.policy()), own.counters()),
        kept.sinceNanos(),
        kept.untilNanos(),
        kept.earlierNanos(),
        kept.forgottenNanos(),
        before == null ? null : Grant.past(terms(before.policy()), before.counters()));
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
      decider.settle(
          domain,
          looks(descriptors),
          nowNanos,
          (index, subject) -> {
            for (int i = 0; i < subject.size(); i++) {
              subject.turn(i).asks(Ask.RESET, /* cost= */ 0, /* ticket= */ 0);
            }
          });
      /* Whoever took meanwhile was reset too. */
      noteReset(domain, descriptors, nowNanos);
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  private void noteReset(String domain, List<Descriptor> descriptors, long nowNanos) {
    for (Descriptor descriptor : descriptors) {
      change(decider.counted(domain, descriptor), nowNanos, order -> order.resetAt(nowNanos));
    }
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
        change(
            keys.of(domain, descriptor),
            nowNanos,
            order ->
                order.overriddenBy(
                    untilNanos > nowNanos
                        ? next(order.override(), general, limits, untilNanos, nowNanos)
                        : ended(order.override(), nowNanos)));
      }
      convert(domain, descriptors, nowNanos);
    } finally {
      shard.leave(generation);
    }
    return generation;
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
    decider.settle(domain, looks(descriptors), nowNanos, (index, subject) -> {});
  }

  private static List<Asked> looks(List<Descriptor> descriptors) {
    return descriptors.stream().map(each -> new Asked(each, /* cost= */ 0, null)).toList();
  }

  private static @Nullable KeyOverride ended(@Nullable KeyOverride last, long nowNanos) {
    return last == null || last.isOver(nowNanos) ? last : last.endingAt(nowNanos);
  }

  /** Limits that take over from others and are counted as those of the policy are, if they can. */
  private KeyOverride next(
      @Nullable KeyOverride last,
      @Nullable Grant general,
      List<Limit> limits,
      long untilNanos,
      long nowNanos) {
    Policy replaced = general == null ? null : general.terms().policy();
    Policy policy =
        LimitChecks.counted(limits, replaced == null ? Algorithm.GCRA : replaced.algorithm());
    Counters counters =
        general == null ? Counters.PLAIN : general.counters().next(general.limits(), limits);
    return new KeyOverride(
        book.hold(terms(policy), counters),
        nowNanos,
        untilNanos,
        last == null ? KeyOverride.NEVER : last.sinceNanos(),
        untilNanos + KeyOverride.lasting(limits, general == null ? List.of() : general.limits()),
        last == null || last.isOver(nowNanos) ? general : last.grant());
  }

  private static Terms terms(Policy policy) {
    return new Terms(
        policy,
        Consistency.FAST,
        /* serviceClass= */ "",
        /* localCap= */ null,
        /* shadow= */ false,
        /* enabled= */ true,
        /* refunds= */ false,
        /* blocked= */ false,
        Terms.BUDGET_MILLIS,
        /* share= */ List.of());
  }

  private synchronized void change(
      long hash, long nowNanos, UnaryOperator<KeyOrders.Order> change) {
    if (ended) {
      throw UnavailableException.unkept();
    }
    KeyOrders.Order old = orders.of(hash);
    KeyOrders.Order next = change.apply(old);
    keep(hash, next, nowNanos);
    orders.put(hash, next, nowNanos);
    KeyOverride last = old.override();
    KeyOverride now = next.end() <= nowNanos ? null : next.override();
    if (last != null && (now == null || now.grant() != last.grant())) {
      book.letGo(last.grant(), nowNanos);
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
    try {
      shard.notes().put(hash, ORDER, note.write(), order.end());
    } catch (NotesFullException full) {
      throw new UnavailableException(String.valueOf(full.getMessage()));
    }
  }
}
