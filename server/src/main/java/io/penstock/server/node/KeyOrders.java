package io.penstock.server.node;

import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What holds for single keys until some instant: a block, other limits, a reset. Thread-safe.
 *
 * <p>A reset and an override are remembered as long as a reservation may last: what was reserved
 * before is given back only as far as it still counts. If there is room an override is remembered
 * longer, as what was used under it counts under the policy from its end on.
 */
final class KeyOrders {
  /** More orders than this are a policy. */
  static final int ORDERS_MAX = 1 << 20;

  /**
   * An order of one key. Immutable.
   *
   * @param override the latest, over or not; null if there was none
   * @param resetAt when it was reset; a little later if that was at the instant of another reset,
   *     so that no two are the same
   */
  record Order(long blockedUntil, @Nullable KeyOverride override, long resetAt) {
    static final Order NONE = new Order(0, null, 0);

    Order blockedUntil(long nanos) {
      return new Order(nanos, override, resetAt);
    }

    Order overriddenBy(@Nullable KeyOverride other) {
      return new Order(blockedUntil, other, resetAt);
    }

    Order resetAt(long nanos) {
      return new Order(blockedUntil, override, Math.max(nanos, resetAt + 1));
    }

    long end() {
      long reset = resetAt == 0 ? 0 : resetAt + Reservations.TTL_NANOS_MAX;
      long past = override == null ? 0 : override.forgottenNanos();
      return Math.max(blockedUntil, Math.max(reset, past));
    }

    /** From when on it holds no more, and no reservation is from before it. */
    private long dispensableNanos() {
      long settled = override == null ? 0 : override.settledNanos();
      return Math.max(overriddenBy(null).end(), settled);
    }
  }

  /** An order that was forgotten, and the hash of its key. */
  record Forgotten(long hash, Order order) {}

  /** An instant in the life of an order. */
  private record Due(long nanos, long hash) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(hash, other.hash);
    }
  }

  private final Map<Long, Order> orders = new ConcurrentHashMap<>();

  /* When they end, and, of those that are remembered for longer, when they become dispensable. */
  private final NavigableSet<Due> ends = new TreeSet<>();
  private final NavigableSet<Due> dispensable = new TreeSet<>();
  private volatile boolean any;

  /**
   * What holds for a key at an instant.
   *
   * @param own the hash of the key, by which it is blocked and overridden
   * @param counted that of its counters, by which it is reset
   */
  Special at(long own, long counted, long nowNanos) {
    Order order = get(own, nowNanos);
    Order counters = own == counted ? order : get(counted, nowNanos);
    if (order == null && counters == null) {
      return Special.NONE;
    }
    KeyOverride override = order == null ? null : order.override();
    boolean over = override != null && override.isOver(nowNanos);
    return new Special(
        order == null ? 0 : order.blockedUntil(),
        over ? null : override,
        over ? override : null,
        counters == null ? 0 : counters.resetAt());
  }

  private @Nullable Order get(long hash, long nowNanos) {
    if (!any) {
      return null;
    }
    Order order = orders.get(hash);
    return order == null || order.end() <= nowNanos ? null : order;
  }

  /** The order of a key to be changed: one that says nothing if it has none. */
  Order of(long hash) {
    return orders.getOrDefault(hash, Order.NONE);
  }

  /**
   * Forgets all orders, then tells the limits that keys were put under: whoever still decides must
   * not find rules in them that have ended.
   */
  synchronized void clear(Consumer<Grant> told) {
    List<Order> all = List.copyOf(orders.values());
    orders.clear();
    ends.clear();
    dispensable.clear();
    for (Order order : all) {
      KeyOverride override = order.override();
      if (override != null) {
        told.accept(override.grant());
      }
    }
  }

  synchronized void put(long hash, Order order, long nowNanos) {
    Order old = orders.get(hash);
    if (old != null) {
      unlist(hash, old);
    }
    if (order.end() <= nowNanos) {
      orders.remove(hash);
      return;
    }
    if (old == null && orders.size() >= ORDERS_MAX) {
      throw new IllegalStateException(
          "blocked and overridden keys: " + orders.size() + " (expected: < " + ORDERS_MAX + ")");
    }
    /* In one step: whoever decides meanwhile finds the old one or this one. */
    orders.put(hash, order);
    ends.add(new Due(order.end(), hash));
    if (order.dispensableNanos() < order.end()) {
      dispensable.add(new Due(order.dispensableNanos(), hash));
    }
    any = true;
  }

  private void unlist(long hash, Order order) {
    ends.remove(new Due(order.end(), hash));
    dispensable.remove(new Due(order.dispensableNanos(), hash));
  }

  /** Forgets an order that has ended; null if there is none. */
  synchronized @Nullable Forgotten forgetEnded(long nowNanos) {
    return forget(ends, nowNanos);
  }

  /**
   * Forgets an order that is only remembered for what was used under it, and that no reservation is
   * from before; null if there is none.
   */
  synchronized @Nullable Forgotten forgetDispensable(long nowNanos) {
    return forget(dispensable, nowNanos);
  }

  private @Nullable Forgotten forget(NavigableSet<Due> due, long nowNanos) {
    if (due.isEmpty() || due.first().nanos > nowNanos) {
      return null;
    }
    long hash = due.first().hash;
    Order order = of(hash);
    unlist(hash, order);
    orders.remove(hash);
    return new Forgotten(hash, order);
  }
}
