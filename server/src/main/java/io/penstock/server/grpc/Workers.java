package io.penstock.server.grpc;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for calls that wait for the disk: as many as writes that the store can put together. */
final class Workers {
  private static final int THREADS = 16;
  private static final int WAITING = 1_000;
  private static final int IDLE_SECONDS = 10;

  private Workers() {}

  /** Refuses work when too much of it waits. */
  static ThreadPoolExecutor start() {
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            work -> {
              Thread thread = new Thread(work, "grpc-policies");
              thread.setDaemon(true);
              return thread;
            });
    workers.allowCoreThreadTimeOut(true);
    return workers;
  }
}
