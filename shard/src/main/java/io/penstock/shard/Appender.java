package io.penstock.shard;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/** Where the owner of a shard appends what it has decided. Thread-safe. */
@FunctionalInterface
public interface Appender {
  /**
   * Appends an entry to the replicated log. That it succeeds says nothing: only {@link
   * Replica#apply} says whether the entry counts (R2). That it fails ends the ownership (R4).
   */
  CompletionStage<?> append(ByteBuffer entry);
}
