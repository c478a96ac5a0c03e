package io.penstock.server;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A thread that looks after files. Thread-safe. What may take long has one of its own, so that
 * others need not wait for it.
 */
public final class WatchThread implements AutoCloseable {
  private final ScheduledExecutorService timer;

  public WatchThread(String name) {
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
