package io.penstock.server.cluster;

import io.penstock.cluster.Raft;
import io.penstock.server.policy.Proposer;
import io.penstock.server.policy.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Brings writes of policies into the log of their group, through whichever node leads it. */
final class MetaProposer implements Proposer {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final long LEADER_MILLIS = 20;

  private final Supplier<Raft> raft;
  private final String group;

  MetaProposer(Supplier<Raft> raft, String group) {
    this.raft = raft;
    this.group = group;
  }

  /* Not again after a failure: nobody knows then whether it is in the log (R4). */
  @Override
  public byte[] propose(byte[] write) {
    awaitLeader();
    byte[] outcome = answered(raft.get().propose(group, write, ANSWER_MAX));
    catchUp();
    return outcome;
  }

  /** Returns when this node has carried out all that was committed before. */
  void catchUp() {
    awaitLeader();
    answered(raft.get().group(group).barrier());
  }

  private void awaitLeader() {
    CountDownLatch never = new CountDownLatch(1);
    try {
      long tries = ANSWER_MAX.toMillis() / LEADER_MILLIS;
      for (long i = 0; raft.get().group(group).leader() == null; i++) {
        if (i == tries) {
          throw unavailable(new IOException("no leader (expected: most nodes to be there)"));
        }
        never.await(LEADER_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(e);
    }
  }

  private <T> T answered(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(e);
    } catch (ExecutionException | TimeoutException e) {
      throw unavailable(e);
    }
  }

  private static StoreUnavailableException unavailable(Exception cause) {
    return StoreUnavailableException.unanswered(cause);
  }
}
