package io.penstock.shard;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Answers by request id. Thread-safe. */
public final class IdWindow {
  private record Id(long hash, long check) {}

  private final Map<Id, byte[]> answers = new ConcurrentHashMap<>();

  public byte @Nullable [] get(long hash, long check) {
    return answers.get(new Id(hash, check));
  }

  public void put(long hash, long check, byte[] answer, long nowNanos) {
    answers.put(new Id(hash, check), answer);
  }
}
