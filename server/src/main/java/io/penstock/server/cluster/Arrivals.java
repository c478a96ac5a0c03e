package io.penstock.server.cluster;

import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which deliveries have arrived, so that a copy of one is not taken for a question of its own.
 * Thread-safe.
 */
final class Arrivals {
  /** A copy that comes after so many others of its origin is refused unseen. */
  private static final int WINDOW = 1 << 16;

  /** Processes that ask; the one that was silent longest is forgotten first. */
  private static final int ORIGINS_MAX = 64;

  private static final class Window {
    private final BitSet seen = new BitSet(WINDOW);
    private long next;
  }

  private final Map<Long, Window> byOrigin =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  /** Whether a delivery is none of those that came before. */
  synchronized boolean isFirst(long origin, long number) {
    Window window = byOrigin.get(origin);
    if (window == null) {
      window = new Window();
      window.next = number;
      byOrigin.put(origin, window);
      forgetOldest();
    }
    if (number < window.next - WINDOW) {
      return false;
    }
    if (number - window.next >= WINDOW) {
      window.seen.clear();
      window.next = number;
    }
    for (; window.next <= number; window.next++) {
      window.seen.clear(place(window.next));
    }
    if (window.seen.get(place(number))) {
      return false;
    }
    window.seen.set(place(number));
    return true;
  }

  private static int place(long number) {
    return (int) (number & (WINDOW - 1));
  }

  private void forgetOldest() {
    Iterator<Long> oldest = byOrigin.keySet().iterator();
    while (byOrigin.size() > ORIGINS_MAX) {
      oldest.next();
      oldest.remove();
    }
  }
}
