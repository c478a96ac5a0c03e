package io.penstock.server.cluster;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The way to other nodes. Implementations are thread-safe and never block. */
@FunctionalInterface
public interface Link {
  /**
   * Carries a question to a node that answers it by an {@link OwnerDesk}, at most once.
   *
   * @param timeout after which nobody waits for the answer any more
   * @return the answer; a failure says nothing of whether the question has arrived
   */
  CompletionStage<byte[]> ask(String node, byte[] question, Duration timeout);

  /** Whether whoever is there belongs to another cluster: its policies are not those known here. */
  default boolean isEstranged() {
    return false;
  }
}
