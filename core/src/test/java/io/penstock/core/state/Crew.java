package io.penstock.core.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that begin together; the first thing that goes wrong in one of them fails the test. */
final class Crew {
  /** More threads than cores, so that some are stopped while they hold a stripe. */
  static final int SIZE = Runtime.getRuntime().availableProcessors() + 2;

  private static final int SECONDS_MAX = 50;

  /** What one thread does. */
  interface Job {
    void run() throws Exception;
  }

  private final List<Job> jobs = new ArrayList<>();

  void add(Job job) {
    jobs.add(job);
  }

  /** Runs all jobs, each on its own thread, and waits for them; a deadlock is a timeout. */
  void run() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(jobs.size());
    try {
      CyclicBarrier start = new CyclicBarrier(jobs.size());
      List<Future<?>> ends = new ArrayList<>();
      for (Job job : jobs) {
        ends.add(
            threads.submit(
                () -> {
                  start.await();
                  job.run();
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get(SECONDS_MAX, TimeUnit.SECONDS);
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
