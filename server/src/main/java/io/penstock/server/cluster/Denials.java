package io.penstock.server.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which keys were denied just now, and until when: such a key is asked alone before others of the
 * same check, so that a flood that it denies does not drain them (R21). Thread-safe.
 */
final class Denials {
  static final int SIZE_MAX = 1 << 12;

  private final Map<Long, Long> untilByKey =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > SIZE_MAX;
        }
      };

  /** A key is denied for so long, as far as anybody knows. */
  synchronized void add(long key, long nowNanos, long forNanos) {
    long until = nowNanos + Math.min(forNanos, Long.MAX_VALUE - nowNanos);
    untilByKey.remove(key);
    untilByKey.put(key, until);
  }

  /** Whether it is denied still. */
  synchronized boolean has(long key, long nowNanos) {
    Long until = untilByKey.get(key);
    if (until != null && until <= nowNanos) {
      untilByKey.remove(key);
      return false;
    }
    return until != null;
  }

  /** It was allowed. */
  synchronized void remove(long key) {
    untilByKey.remove(key);
  }
}
