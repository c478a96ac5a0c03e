package io.penstock.server.cluster;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How to undo what other nodes asked for, in case they give up waiting (R21). Thread-safe. */
final class Undoing {
  static final int SIZE_MAX = 1 << 16;
  static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private record Kept(Runnable undo, long untilNanos) {}

  private final Map<Cancel, Kept> kept = new LinkedHashMap<>();

  /** What was cancelled, and until when that is remembered: apart, so that it keeps its room. */
  private final Map<Cancel, Long> cancelled = new LinkedHashMap<>();

  /**
   * Keeps it for 5 s, or until too many others come after it; runs it at once if nobody waits any
   * more: a cancel may come while it is not yet known how to undo what is being decided (R20).
   */
  void keep(Cancel cancel, Runnable undo, long nowNanos) {
    if (!isKept(cancel, undo, nowNanos)) {
      undo.run();
    }
  }

  private synchronized boolean isKept(Cancel cancel, Runnable undo, long nowNanos) {
    Long cancelledUntil = cancelled.get(cancel);
    if (cancelledUntil != null && cancelledUntil > nowNanos) {
      return false;
    }
    makeRoom(kept.values().iterator(), kept, each -> each.untilNanos <= nowNanos);
    kept.put(cancel, new Kept(undo, nowNanos + KEPT_NANOS));
    return true;
  }

  private static <T> void makeRoom(Iterator<T> oldest, Map<?, ?> all, Predicate<T> isOver) {
    while (oldest.hasNext() && (isOver.test(oldest.next()) || all.size() >= SIZE_MAX)) {
      oldest.remove();
    }
  }

  /**
   * How to undo it, once; null if nothing is known of it. What is known from then on is undone at
   * once: what was before may have been no more than how to turn the question away.
   */
  synchronized @Nullable Runnable take(Cancel cancel, long nowNanos) {
    makeRoom(cancelled.values().iterator(), cancelled, until -> until <= nowNanos);
    cancelled.put(cancel, nowNanos + KEPT_NANOS);
    Kept found = kept.remove(cancel);
    return found == null || found.untilNanos <= nowNanos ? null : found.undo;
  }
}
