package io.penstock.server.http;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A few threads for what takes long, so that no event loop does it. Thread-safe. */
final class Workroom implements AutoCloseable {
  private static final int WAITING_MAX = 256;
  private static final int CLOSE_SECONDS_MAX = 5;

  private final ThreadPoolExecutor threads;

  Workroom(String name, int count) {
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            task -> thread(name, task));
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Something that takes long, and then what to answer. */
  @FunctionalInterface
  interface Work {
    Endpoint toAnswer();
  }

  /** Does the work here, and lets the exchange answer where it lives. */
  void run(Exchange exchange, Work work) {
    try {
      threads.execute(() -> exchange.resume(outcome(work)));
    } catch (RejectedExecutionException e) {
      throw Refusal.of(503, "too many requests of this kind are waiting");
    }
  }

  /** Also an error is answered: nobody else would, and the client would wait for ever. */
  private static Endpoint outcome(Work work) {
    try {
      return work.toAnswer();
    } catch (RuntimeException e) {
      return failing(e);
    } catch (Error e) {
      return failing(new IllegalStateException("the work for a request ended with an error", e));
    }
  }

  private static Endpoint failing(RuntimeException cause) {
    return exchange -> {
      throw cause;
    };
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
