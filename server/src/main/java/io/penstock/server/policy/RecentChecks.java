package io.penstock.server.policy;

import io.penstock.core.policy.Descriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The last checks of a node, so that a proposed policy can be tried on them. Thread-safe; adding
 * hardly ever waits. What is older than the newest few thousand is forgotten.
 */
public final class RecentChecks {
  /** How many checks a server remembers: 9 MB at most, whatever clients send. */
  public static final int DEFAULT = 1 << 14;

  private static final int MAX = 1 << 20;

  /**
   * One descriptor of a check. Immutable.
   *
   * @param scope where the policy stands that applied to it; null if none did
   */
  record Recent(
      long timeNanos, String domain, Descriptor descriptor, long cost, @Nullable String scope) {}

  /** How often a key came among some checks. Immutable. */
  public record Frequency(String domain, Descriptor descriptor, int count) {}

  private record Key(String domain, Descriptor descriptor) {}

  private final RecentCheck[] ring;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong unfit = new AtomicLong();

  /** Remembers so many, a power of two. */
  public RecentChecks(int capacity) {
    if (capacity < 1 || capacity > MAX || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "capacity: " + capacity + " (expected: a power of two, 1.." + MAX + ")");
    }
    this.ring = new RecentCheck[capacity];
    char[] texts = new char[capacity * RecentCheck.CHARS];
    for (int i = 0; i < capacity; i++) {
      ring[i] = new RecentCheck(texts, i * RecentCheck.CHARS);
    }
  }

  /**
   * Remembers one descriptor of a check; if its text is so long that it is no usual one, only that
   * it was there.
   */
  public void add(
      long timeNanos, String domain, Descriptor descriptor, long cost, @Nullable String scope) {
    if (cost != 0) {
      int slot = (int) next.getAndIncrement() & (ring.length - 1);
      if (!ring[slot].set(timeNanos, domain, descriptor, cost, scope)) {
        unfit.incrementAndGet();
      }
    }
  }

  /** How many were remembered so far, also those that are forgotten. */
  public long added() {
    return next.get() - unfit.get();
  }

  /** The keys of the newest so many that are remembered, the most frequent first. */
  public List<Frequency> frequencies(int newest) {
    Map<Key, Integer> counts = new HashMap<>();
    long end = next.get();
    for (long i = Math.max(0, end - Math.min(newest, ring.length)); i < end; i++) {
      Recent recent = ring[(int) i & (ring.length - 1)].get();
      if (recent != null) {
        counts.merge(new Key(recent.domain(), recent.descriptor()), 1, Integer::sum);
      }
    }
    List<Frequency> frequencies = new ArrayList<>(counts.size());
    counts.forEach(
        (key, count) -> frequencies.add(new Frequency(key.domain, key.descriptor, count)));
    frequencies.sort(Comparator.comparingInt(Frequency::count).reversed());
    return frequencies;
  }

  /** How many of the newest checks were too long to be remembered. */
  int tooLong() {
    int count = 0;
    for (RecentCheck check : ring) {
      count += check.isTooLong() ? 1 : 0;
    }
    return count;
  }

  /** What is remembered, oldest first. */
  List<Recent> all() {
    List<Recent> all = new ArrayList<>(ring.length);
    for (RecentCheck check : ring) {
      Recent recent = check.get();
      if (recent != null) {
        all.add(recent);
      }
    }
    all.sort(Comparator.comparingLong(Recent::timeNanos));
    return all;
  }
}
