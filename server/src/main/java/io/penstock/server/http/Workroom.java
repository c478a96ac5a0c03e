package io.penstock.server.http;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A few threads for what waits for a disk, so that no event loop does. Thread-safe. */
final class Workroom implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int WAITING_MAX = 256;
  private static final int CLOSE_SECONDS_MAX = 5;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_MAX),
          Workroom::thread);

  Workroom() {
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "penstock-http-store");
    thread.setDaemon(true);
    return thread;
  }

  /** Something that blocks, and then what to answer. */
  @FunctionalInterface
  interface Work {
    Endpoint toAnswer();
  }

  /** Does the work here, and lets the exchange answer where it lives. */
  void run(Exchange exchange, Work work) {
    try {
      threads.execute(() -> exchange.resume(outcome(work)));
    } catch (RejectedExecutionException e) {
      throw Refusal.of(503, "too many requests for policies are waiting");
    }
  }

  private static Endpoint outcome(Work work) {
    try {
      return work.toAnswer();
    } catch (RuntimeException e) {
      return exchange -> {
        throw e;
      };
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
