package io.penstock.server.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What holds for single keys until some instant: a block, other limits, a reset. Thread-safe.
 *
 * <p>A reset is remembered as long as a reservation may last: what was reserved before it is not
 * given back.
 */
final class KeyOrders {
  /** More orders than this are a policy. */
  static final int ORDERS_MAX = 1 << 20;

  /**
   * An order of one key. Immutable.
   *
   * @param grantUntil until when the limits of the grant hold
   */
  record Order(long blockedUntil, @Nullable Grant grant, long grantUntil, long resetAt) {
    static final Order NONE = new Order(0, null, 0, 0);

    Order blockedUntil(long nanos) {
      return new Order(nanos, grant, grantUntil, resetAt);
    }

    Order overriddenBy(@Nullable Grant other, long untilNanos) {
      return new Order(blockedUntil, other, untilNanos, resetAt);
    }

    Order resetAt(long nanos) {
      return new Order(blockedUntil, grant, grantUntil, nanos);
    }

    long end() {
      long forgotten = resetAt == 0 ? 0 : resetAt + Reservations.TTL_NANOS_MAX;
      return Math.max(Math.max(blockedUntil, forgotten), grant == null ? 0 : grantUntil);
    }

    /** This order without what is over. */
    @Nullable Order at(long nowNanos) {
      if (end() <= nowNanos) {
        return null;
      }
      return grant != null && grantUntil <= nowNanos ? overriddenBy(null, 0) : this;
    }
  }

  private final Map<Long, Order> orders = new ConcurrentHashMap<>();
  private volatile boolean any;

  /** The order of a key, or null for nearly every key. */
  @Nullable Order get(long hash, long nowNanos) {
    if (!any) {
      return null;
    }
    Order order = orders.get(hash);
    return order == null ? null : order.at(nowNanos);
  }

  /** The order of a key to be changed: one that says nothing if it has none. */
  Order of(long hash, long nowNanos) {
    Order order = get(hash, nowNanos);
    return order == null ? Order.NONE : order;
  }

  /** Tells the limits that keys are put under, also of orders that are over and still here. */
  void forEachGrant(Consumer<Grant> told) {
    for (Order order : orders.values()) {
      Grant grant = order.grant();
      if (grant != null) {
        told.accept(grant);
      }
    }
  }

  synchronized void put(long hash, Order order, long nowNanos) {
    if (order.end() <= nowNanos) {
      orders.remove(hash);
      return;
    }
    if (orders.size() >= ORDERS_MAX) {
      orders.values().removeIf(old -> old.end() <= nowNanos);
      if (orders.size() >= ORDERS_MAX) {
        throw new IllegalStateException(
            "blocked and overridden keys: " + orders.size() + " (expected: < " + ORDERS_MAX + ")");
      }
    }
    orders.put(hash, order);
    any = true;
  }
}
