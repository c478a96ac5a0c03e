package io.penstock.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Asks the nodes of a cluster about a few keys, kills one of them meanwhile, and counts what was
 * admitted beyond the limits.
 *
 * <p>Arguments: how the nodes are asked (see {@link Door}), their addresses with commas between,
 * seconds, and the command that kills one, which runs after a third of them.
 */
final class FailoverBench {
  private static final int KEYS = 30;
  private static final int THREADS = 16;

  /** Keys that are asked about while the nodes warm up, and do not count. */
  private static final int WARM_KEYS = 100_000;

  private static final int WARM_SECONDS = 30;

  private final AtomicLongArray admitted = new AtomicLongArray(KEYS);
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong gapNanos = new AtomicLong();
  private final String kind;
  private final List<String> addresses;
  private final long beginNanos;
  private final long endNanos;

  private FailoverBench(String kind, List<String> addresses, long seconds) {
    this.kind = kind;
    this.addresses = addresses;
    this.beginNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_SECONDS);
    this.endNanos = beginNanos + TimeUnit.SECONDS.toNanos(seconds);
  }

  public static void main(String[] arguments) throws Exception {
    int seconds = Integer.parseInt(arguments[2]);
    FailoverBench bench =
        new FailoverBench(arguments[0], List.of(arguments[1].split(",")), seconds);
    List<Thread> threads =
        IntStream.range(0, THREADS).mapToObj(i -> new Thread(() -> bench.ask(i))).toList();
    threads.forEach(Thread::start);
    TimeUnit.SECONDS.sleep(WARM_SECONDS + seconds / 3);
    long before = bench.answered.sum();
    bench.gapNanos.set(0);
    new ProcessBuilder("bash", "-c", arguments[3]).inheritIO().start().waitFor();
    for (Thread thread : threads) {
      thread.join();
    }
    bench.tell(before / (seconds / 3));
  }

  /** Asks one node until it does not answer, and then any. */
  private void ask(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int node = seed % addresses.size();
    Door door = null;
    for (long now = System.nanoTime(); now < endNanos; now = System.nanoTime()) {
      boolean isWarm = now >= beginNanos;
      int key = isWarm ? random.nextInt(KEYS) : KEYS + random.nextInt(WARM_KEYS);
      try {
        door = door == null ? Door.of(kind, addresses.get(node)) : door;
        boolean isAdmitted = door.isAdmitted(key);
        if (isWarm) {
          admitted.addAndGet(key, isAdmitted ? 1 : 0);
          answered.increment();
          note();
        }
      } catch (IOException e) {
        failed.increment();
        node = random.nextInt(addresses.size());
        door = null;
      }
    }
  }

  private void note() {
    long nowNanos = System.nanoTime();
    long silent = nowNanos - lastNanos.getAndSet(nowNanos);
    gapNanos.accumulateAndGet(silent, Math::max);
  }

  private void tell(long perSecond) {
    long beyond = 0;
    long all = 0;
    for (int key = 0; key < KEYS; key++) {
      beyond += Math.max(0, admitted.get(key) - Door.LIMIT);
      all += admitted.get(key);
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %d of %d | %d | %d | %d ms |%n",
        kind,
        perSecond,
        all,
        (long) KEYS * Door.LIMIT,
        beyond,
        failed.sum(),
        TimeUnit.NANOSECONDS.toMillis(gapNanos.get()));
  }
}
