package io.penstock.server.policy;

/** How a write of this node comes into the log that all nodes carry out. Thread-safe. */
@FunctionalInterface
public interface Proposer {
  /**
   * Proposes a write and waits until it is committed and {@link PolicyStore#apply applied} on this
   * node.
   *
   * @return what {@code apply} returned for it, here or on another node
   * @throws StoreUnavailableException if the cluster does not answer
   */
  byte[] propose(byte[] write);
}
