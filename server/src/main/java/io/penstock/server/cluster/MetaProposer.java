package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.policy.Proposer;
import io.penstock.server.policy.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings writes of policies into the log of their group, through whichever node leads it, and lets
 * nobody read what is not the newest. Thread-safe.
 *
 * <p>A leader that is gone is waited for, but not longer than an election takes, counted from when
 * it was first missed: once most nodes are gone, nobody waits any more, and no thread with them.
 */
final class MetaProposer implements Proposer {
  private static final Duration WRITE_MAX = Duration.ofSeconds(5);
  private static final Duration READ_MAX = Duration.ofSeconds(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LED = Long.MIN_VALUE;

  /** The log of the policies. Implementations are thread-safe. */
  interface Log {
    /** Who leads, as far as this node knows; null if it does not. */
    @Nullable String leader();

    /** Has an entry appended, and answers what applying it answered. */
    CompletionStage<byte[]> propose(byte[] entry, Duration timeout);

    /** Completes when this node has applied everything that was committed before it was asked. */
    CompletionStage<Void> barrier();
  }

  private final Log log;
  private final Clock clock;
  private final AtomicLong missedNanos = new AtomicLong(LED);

  MetaProposer(Log log, Clock clock) {
    this.log = log;
    this.clock = clock;
  }

  /** Another node may lead by now: the next that is gone is waited for anew. */
  void leaderChanged() {
    if (log.leader() != null) {
      missedNanos.set(LED);
    }
  }

  /* Not again after a failure: nobody knows then whether it is in the log (R4). */
  @Override
  public byte[] propose(byte[] write) {
    try {
      awaitLeader(WRITE_MAX);
      byte[] settlement = answered(log.propose(write, WRITE_MAX), WRITE_MAX.toNanos());
      answered(log.barrier(), WRITE_MAX.toNanos());
      return settlement;
    } catch (IOException e) {
      throw StoreUnavailableException.unanswered(e);
    }
  }

  /** Returns when this node has carried out all that was committed before, or throws soon. */
  void catchUp() {
    long until = clock.nanos() + READ_MAX.toNanos();
    try {
      awaitLeader(READ_MAX);
      while (!isCaughtUp(until)) {
        pause();
        awaitLeader(READ_MAX);
      }
    } catch (IOException e) {
      throw StoreUnavailableException.unread(e);
    }
  }

  /** Tries once; a leader that has just died is known as one for a while. */
  private boolean isCaughtUp(long until) throws IOException {
    try {
      answered(log.barrier(), Math.max(PAUSE_NANOS, until - clock.nanos()));
      return true;
    } catch (IOException e) {
      if (clock.nanos() >= until) {
        throw e;
      }
      return false;
    }
  }

  private void awaitLeader(Duration max) throws IOException {
    while (log.leader() == null) {
      long now = clock.nanos();
      missedNanos.compareAndSet(LED, now);
      if (now - missedNanos.get() >= max.toNanos()) {
        throw new IOException("no leader (expected: most nodes to be there)");
      }
      pause();
    }
    missedNanos.set(LED);
  }

  private void pause() throws IOException {
    try {
      clock.sleep(PAUSE_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static <T> T answered(CompletionStage<T> stage, long nanosMax) throws IOException {
    try {
      return stage.toCompletableFuture().get(nanosMax, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no answer", e);
    }
  }
}
