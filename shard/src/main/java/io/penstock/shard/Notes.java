package io.penstock.shard;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Small records by id, each until an instant. Thread-safe. */
public final class Notes {
  private record Id(long hash, long check) {}

  /** Takes one note. */
  public interface Sink {
    void accept(long hash, long check, byte[] bytes);
  }

  private final Map<Id, byte[]> notes = new ConcurrentHashMap<>();

  public byte @Nullable [] get(long hash, long check) {
    return notes.get(new Id(hash, check));
  }

  public void put(long hash, long check, byte[] bytes, long untilNanos) {
    notes.put(new Id(hash, check), bytes);
  }

  public void remove(long hash, long check) {
    notes.remove(new Id(hash, check));
  }

  public void forEach(Sink sink) {
    notes.forEach((id, bytes) -> sink.accept(id.hash(), id.check(), bytes));
  }
}
