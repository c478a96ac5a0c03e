package io.penstock.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A store that tests can look into. Thread-safe. */
public final class MapStore implements Store {
  final Map<Long, long[]> states = new ConcurrentHashMap<>();

  @Override
  public long @Nullable [] get(long key) {
    return states.get(key);
  }

  @Override
  public void put(long key, long[] state) {
    states.put(key, state);
  }

  @Override
  public void remove(long key) {
    states.remove(key);
  }
}
