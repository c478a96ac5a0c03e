package io.penstock.testkit.example;

import io.penstock.core.Store;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** States in a map on the heap. Thread-safe. */
public final class MapStore implements Store {
  private final Map<Long, long[]> states = new ConcurrentHashMap<>();

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

  /** How many keys have a state. */
  public int size() {
    return states.size();
  }

  /** Forgets every state that has ended. */
  public void forgetUntil(long nanos) {
    states.values().removeIf(state -> state[0] <= nanos);
  }
}
