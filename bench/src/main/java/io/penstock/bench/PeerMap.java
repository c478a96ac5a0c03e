package io.penstock.bench;

import io.penstock.core.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** A library's limiters by key, in the map that its users write. Thread-safe. */
final class PeerMap<L> {
  /** The libraries, as they come. */
  enum Library {
    BUCKET4J,
    GUAVA,
    RESILIENCE4J,
    FAILSAFE
  }

  private final ConcurrentHashMap<String, L> limiters = new ConcurrentHashMap<>();
  private final Function<String, L> create;
  private final Predicate<L> take;

  private PeerMap(Function<String, L> create, Predicate<L> take) {
    this.create = create;
    this.take = take;
  }

  static PeerMap<?> of(Library library, Limit limit) {
    return switch (library) {
      case BUCKET4J -> new PeerMap<>(key -> Peers.bucket4j(limit), bucket -> bucket.tryConsume(1));
      case GUAVA -> new PeerMap<>(key -> Peers.guava(limit), limiter -> limiter.tryAcquire());
      case RESILIENCE4J ->
          new PeerMap<>(key -> Peers.resilience4j(limit), limiter -> limiter.acquirePermission());
      case FAILSAFE ->
          new PeerMap<>(key -> Peers.failsafe(limit), limiter -> limiter.tryAcquirePermit());
    };
  }

  boolean isAllowed(String key) {
    // Asking first is faster than computeIfAbsent alone, which may lock.
    L limiter = limiters.get(key);
    return take.test(limiter == null ? limiters.computeIfAbsent(key, create) : limiter);
  }

  void fill(int keys) {
    KeyStream stream = new KeyStream(keys, /* seed= */ 0);
    for (int i = 0; i < keys; i++) {
      isAllowed(stream.stringAt(i));
    }
  }
}
