package io.penstock.server.cluster;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How to undo what other nodes asked for, in case they give up waiting (R21). Thread-safe. */
final class Undoing {
  static final int SIZE_MAX = 1 << 16;
  static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private record Kept(Runnable undo, long untilNanos) {}

  private final Map<Cancel, Kept> kept = new LinkedHashMap<>();

  /** Keeps it for 5 s, or until too many others come after it. */
  synchronized void keep(Cancel cancel, Runnable undo, long nowNanos) {
    Iterator<Kept> oldest = kept.values().iterator();
    while (oldest.hasNext() && (oldest.next().untilNanos <= nowNanos || kept.size() >= SIZE_MAX)) {
      oldest.remove();
    }
    kept.put(cancel, new Kept(undo, nowNanos + KEPT_NANOS));
  }

  /** How to undo it, once; null if nothing is known of it. */
  synchronized @Nullable Runnable take(Cancel cancel, long nowNanos) {
    Kept found = kept.remove(cancel);
    return found == null || found.untilNanos <= nowNanos ? null : found.undo;
  }
}
