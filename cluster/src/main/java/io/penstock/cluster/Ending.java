package io.penstock.cluster;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** The end of this node's part in Raft, which is waited for, but not for ever. */
final class Ending {
  /*
   * Raft may wait for itself: closing a log holds the lock of that log while it waits for the
   * thread that evicts from its cache, which may be waiting for this lock. Whatever was promised is
   * on disk by then, so a node that is to end goes on without.
   */
  private static final System.Logger LOG = System.getLogger(Ending.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private Ending() {}

  static void of(Closeable raft) {
    of(raft, PATIENCE);
  }

  /** Closes it, and comes back when it is closed or patience is over; whether it is closed. */
  static boolean of(Closeable raft, Duration patience) {
    Thread thread = new Thread(() -> close(raft), "penstock-raft-end");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(patience.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.log(WARNING, "Raft: not closed within {0} ms; left as it is", patience.toMillis());
      return false;
    }
    return true;
  }

  private static void close(Closeable raft) {
    try {
      raft.close();
    } catch (IOException | RuntimeException e) {
      LOG.log(ERROR, "not closed well", e);
    }
  }
}
