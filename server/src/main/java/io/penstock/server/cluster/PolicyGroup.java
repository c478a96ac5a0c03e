package io.penstock.server.cluster;

import io.penstock.cluster.Replicated;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.policy.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;

/** Policies as the nodes of a cluster keep them the same (R16). Thread-safe. */
final class PolicyGroup implements Replicated {
  private static final System.Logger LOG = System.getLogger(PolicyGroup.class.getName());
  private static final int SECRET_BYTES = 2 * Long.BYTES;

  private final PolicyStore store;
  private final Runnable applied;

  /**
   * The policies of a store.
   *
   * @param applied told after each entry
   */
  PolicyGroup(PolicyStore store, Runnable applied) {
    this.store = store;
    this.applied = applied;
  }

  /** Proposes a secret for the cluster: the first that is agreed on stays. */
  static void proposeSecret(PolicyStore store) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    try {
      store.proposeSecret(secret);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "no secret yet", e);
    }
  }

  @Override
  public byte[] apply(long term, long index, ByteBuffer entry) throws IOException {
    byte[] write = new byte[entry.remaining()];
    entry.get(write);
    byte[] outcome;
    try {
      outcome = store.apply(index, write);
    } catch (StoreUnavailableException e) {
      throw new IOException("policies cannot be stored", e);
    }
    applied.run();
    return outcome;
  }

  @Override
  public void leads(long term) {
    // Whoever leads decides nothing by itself: entries are carried out where they are applied.
  }

  @Override
  public void follows() {
    // See leads.
  }

  @Override
  public void received(ByteBuffer entry) {
    // A policy is in force when it is applied, not before.
  }

  @Override
  public Saving saving(long index) {
    return store::save;
  }

  @Override
  public void clear() {
    // The store is a file of its own, and knows how much of the log it holds.
  }

  @Override
  public void read(Path file) {
    store.load(file);
    applied.run();
  }
}
