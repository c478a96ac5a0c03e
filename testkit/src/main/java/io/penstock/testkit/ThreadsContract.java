package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limiter;
import io.penstock.core.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** All cores at once: what is admitted is the capacity, exactly. */
interface ThreadsContract extends LimiterSource {
  int THREADS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  /** How many checks each thread makes, when many decide at once. */
  int checksPerThread();

  @Test
  default void tryAcquire_manyThreadsOneKey_admitsExactlyTheCapacity() throws Exception {
    for (Algorithm algorithm : Algorithm.all()) {
      boolean held = algorithm == Algorithm.CONCURRENCY;
      String limit = held ? "1000 concurrent lease 1hour" : "1000/hour";
      Limiter limiter = newLimiter(limit, algorithm, new ManualClock());
      long capacity = algorithm == Algorithm.LEAKY_QUEUE ? 1_001 : 1_000;
      long admitted =
          together(
              () -> {
                long allowed = 0;
                for (int i = 0; i < checksPerThread(); i++) {
                  long cost = 1L + i % 3;
                  allowed += limiter.tryAcquire("quiet", cost).allowed() ? cost : 0;
                }
                while (limiter.isAllowed("quiet")) {
                  allowed++;
                }
                return allowed;
              });
      assertThat(admitted).as(algorithm.name()).isEqualTo(capacity);
    }
  }

  @Test
  default void reserve_manyThreadsHoldAndClose_losesAndGainsNoSlot() throws Exception {
    Limiter limiter =
        newLimiter("3 concurrent lease 1hour", Algorithm.CONCURRENCY, new ManualClock());
    together(
        () -> {
          long held = 0;
          for (int i = 0; i < checksPerThread(); i++) {
            try (Reservation slot = limiter.reserve("a", 1)) {
              held += slot.allowed() ? 1 : 0;
            }
          }
          return held;
        });
    assertThat(limiter.peek("a").remaining()).isEqualTo(3);
  }

  @Test
  default void tryAcquire_severalLimitsAndThreads_takesFromAllOrNone() throws Exception {
    Limiter limiter = newLimiter("500/hour; 700/day; 600/min", new ManualClock());
    long admitted =
        together(
            () -> {
              long allowed = 0;
              for (int i = 0; i < checksPerThread(); i++) {
                allowed += limiter.isAllowed("a") ? 1 : 0;
              }
              return allowed;
            });
    assertThat(admitted).isEqualTo(500);
    limiter.refund("a", 500);
    assertThat(limiter.peek("a").remaining()).isEqualTo(500);
  }

  /** Runs the same on all threads, which start together, and adds up what they say. */
  static long together(Callable<Long> work) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<Long>> parts = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        parts.add(
            threads.submit(
                () -> {
                  start.await();
                  return work.call();
                }));
      }
      long sum = 0;
      for (Future<Long> part : parts) {
        sum += part.get();
      }
      return sum;
    } finally {
      threads.shutdownNow();
    }
  }
}
