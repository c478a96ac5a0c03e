package io.penstock.server.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of a document. Immutable.
 *
 * @param revision the number of this change among those of all documents
 * @param document the JSON as it was put; null if it was deleted
 * @param counters which counters its limits read, as {@link CounterPlan} decided; mostly empty
 */
public record Change(
    Kind kind,
    String name,
    long version,
    long revision,
    Instant at,
    String by,
    @Nullable String document,
    String counters) {
  /** A version that is behind every other: before it is all that ever changed. */
  public static final long NEVER = Long.MAX_VALUE;
}
