package io.penstock.server.policy;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last checks of a node, so that a proposed policy can be tried on them. Thread-safe; adding
 * never waits. What is older than the newest few thousand is forgotten.
 */
public final class RecentChecks {
  /** How many checks a server remembers: a few megabytes, whatever clients send. */
  public static final int DEFAULT = 1 << 14;

  private static final int MAX = 1 << 20;
  private static final int CHARS_MAX = 256;

  /**
   * One descriptor of a check. Immutable.
   *
   * @param scope where the policy stands that applied to it; null if none did
   */
  record Recent(
      long timeNanos, String domain, Descriptor descriptor, long cost, @Nullable String scope) {}

  private final AtomicReferenceArray<@Nullable Recent> ring;
  private final AtomicLong next = new AtomicLong();

  /** Remembers so many, a power of two. */
  public RecentChecks(int capacity) {
    if (capacity < 1 || capacity > MAX || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "capacity: " + capacity + " (expected: a power of two, 1.." + MAX + ")");
    }
    this.ring = new AtomicReferenceArray<>(capacity);
  }

  /** Remembers one descriptor of a check, unless its text is so long that it is no usual one. */
  public void add(
      long timeNanos, String domain, Descriptor descriptor, long cost, @Nullable String scope) {
    if (cost != 0 && isShort(domain, descriptor)) {
      int slot = (int) next.getAndIncrement() & (ring.length() - 1);
      ring.setRelease(slot, new Recent(timeNanos, domain, descriptor, cost, scope));
    }
  }

  private static boolean isShort(String domain, Descriptor descriptor) {
    int chars = domain.length();
    List<Entry> entries = descriptor.entries();
    for (int i = 0; i < entries.size() && chars <= CHARS_MAX; i++) {
      chars += entries.get(i).key().length() + entries.get(i).value().length();
    }
    return chars <= CHARS_MAX;
  }

  /** What is remembered, oldest first. */
  List<Recent> all() {
    List<Recent> all = new ArrayList<>(ring.length());
    for (int i = 0; i < ring.length(); i++) {
      Recent recent = ring.getAcquire(i);
      if (recent != null) {
        all.add(recent);
      }
    }
    all.sort(Comparator.comparingLong(Recent::timeNanos));
    return all;
  }
}
