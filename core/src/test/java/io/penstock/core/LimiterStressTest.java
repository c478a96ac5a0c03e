package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All cores at once, on many keys and on a hot one. */
@Timeout(60)
class LimiterStressTest {
  private static final int THREADS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  private static final int KEYS = 10_000;
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long MILLISECOND = 1_000_000;

  private final AtomicLong now = new AtomicLong(START);

  private MemoryLimiter limiter(String limit, Algorithm algorithm) {
    return Limiter.builder().policy(limit).algorithm(algorithm).clock(now::get).build();
  }

  private static long together(Callable<Long> work) throws Exception {
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

  /** One thread changes the policy; the others ask for one key twice in one check. */
  @Test
  void tryAcquireAll_oneKeyTwiceWhileThePolicyChanges_losesNothing() throws Exception {
    MemoryLimiter limiter = limiter("900000000/year UTC", Algorithm.FIXED_WINDOW);
    AtomicBoolean changes = new AtomicBoolean();
    long admitted =
        together(
            () -> {
              boolean changing = changes.compareAndSet(false, true);
              long units = 0;
              for (int i = 0; i < (changing ? 2_000 : 20_000); i++) {
                if (changing) {
                  limiter.update(Policy.parse(900_000_000 + i % 2 + "/year UTC"));
                } else {
                  Check two = limiter.check("key", 2);
                  units += Limiter.tryAcquireAll(two, limiter.check("key", 1)).allowed() ? 3 : 0;
                }
              }
              return units;
            });
    limiter.update(Policy.parse("900000000/year UTC"));
    assertThat(900_000_000 - limiter.peek("key").remaining()).isEqualTo(admitted);
  }

  @Test
  void tryAcquire_manyKeysFromAllThreads_eachAdmitsExactlyItsCapacity() throws Exception {
    for (Algorithm algorithm :
        List.of(Algorithm.GCRA, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_LOG)) {
      MemoryLimiter limiter = limiter("3/hour", algorithm);
      AtomicIntegerArray admitted = new AtomicIntegerArray(KEYS);
      together(
          () -> {
            for (int i = 0; i < 2 * KEYS; i++) {
              int key = i % KEYS;
              if (limiter.isAllowed("key" + key)) {
                admitted.incrementAndGet(key);
              }
            }
            return 0L;
          });
      for (int key = 0; key < KEYS; key++) {
        assertThat(admitted.get(key)).as("%s key %d", algorithm.name(), key).isEqualTo(3);
      }
    }
  }

  /** The clock goes on only when all was taken, so nothing can be lost by a full bucket. */
  @Test
  void tryAcquire_hotKeyWhileTimePasses_admitsExactlyWhatTheRateGives() throws Exception {
    MemoryLimiter limiter = limiter("1000/s burst 100", Algorithm.GCRA);
    int steps = 2_000;
    AtomicBoolean over = new AtomicBoolean();
    Thread time =
        new Thread(
            () -> {
              for (int step = 0; step < steps; step++) {
                awaitDrained(limiter);
                now.addAndGet(MILLISECOND);
              }
              awaitDrained(limiter);
              over.set(true);
            });
    time.start();
    long admitted =
        together(
            () -> {
              long allowed = 0;
              while (!over.get()) {
                allowed += limiter.isAllowed("hot") ? 1 : 0;
              }
              return allowed;
            });
    time.join();
    assertThat(admitted).isEqualTo(100 + steps);
  }

  private static void awaitDrained(Limiter limiter) {
    while (limiter.peek("hot").remaining() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void tryAcquire_hotKeyOnTheSystemClock_neverExceedsTheBound() throws Exception {
    MemoryLimiter limiter = Limiter.of("10000/s burst 50");
    long start = System.nanoTime();
    long end = start + Duration.ofMillis(300).toNanos();
    long admitted =
        together(
            () -> {
              long allowed = 0;
              while (System.nanoTime() < end) {
                allowed += limiter.isAllowed("hot") ? 1 : 0;
              }
              return allowed;
            });
    long elapsed = System.nanoTime() - start;
    long fastest = elapsed + elapsed / 1_000;
    assertThat(admitted).isBetween(50L, 50 + fastest / 100_000 + 1);
  }

  @Test
  void update_whileAllThreadsTake_neverAdmitsMoreThanTheLargestLimit() throws Exception {
    MemoryLimiter limiter = limiter("1000/hour", Algorithm.GCRA);
    AtomicBoolean over = new AtomicBoolean();
    List<Policy> policies =
        List.of(
            Policy.parse("2000/hour"),
            Policy.parse("2000/hour").withAlgorithm(Algorithm.FIXED_WINDOW),
            Policy.parse("1500/hour burst 2000"),
            Policy.parse("1000/hour").withAlgorithm(Algorithm.SLIDING_WINDOW_LOG));
    Thread changes =
        new Thread(
            () -> {
              for (int i = 0; !over.get(); i++) {
                limiter.update(policies.get(i % policies.size()));
              }
            });
    changes.start();
    long admitted =
        together(
            () -> {
              long allowed = 0;
              for (int i = 0; i < 20_000; i++) {
                allowed += limiter.isAllowed("a") ? 1 : 0;
              }
              return allowed;
            });
    over.set(true);
    changes.join();
    assertThat(admitted).isBetween(1_000L, 2_000L);
    limiter.update(Policy.parse("3000/hour"));
    assertThat(limiter.peek("a").remaining()).isEqualTo(3_000 - admitted);
  }

  @Test
  void tryAcquireAll_keysInAnyOrder_neitherLocksUpNorTakesHalf() throws Exception {
    MemoryLimiter limiter = limiter("1000/hour", Algorithm.GCRA);
    AtomicLong number = new AtomicLong();
    together(
        () -> {
          boolean forward = number.getAndIncrement() % 2 == 0;
          for (int i = 0; i < 3_000; i++) {
            Check a = limiter.check("a", 1);
            Check b = limiter.check("b", 1);
            Limiter.tryAcquireAll(forward ? a : b, forward ? b : a);
          }
          return 0L;
        });
    assertThat(limiter.peek("a").remaining()).isEqualTo(limiter.peek("b").remaining()).isZero();
  }
}
