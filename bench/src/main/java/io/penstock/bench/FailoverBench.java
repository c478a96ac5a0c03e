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
 * Asks the nodes of a cluster as fast as they answer, kills one of them meanwhile, and counts what
 * was admitted beyond the limits.
 *
 * <p>Arguments: how the nodes are asked (see {@link Door}), their addresses with commas between,
 * seconds, and the command that kills one, which runs after a third of them. There are as many keys
 * as the product can use up a little later than that: so each is in the middle of counting when it
 * loses a node, however fast it is, and at its limits soon after.
 */
final class FailoverBench {
  private static final int THREADS = 64;

  /** Keys that are asked about while the nodes warm up, and do not count. */
  private static final int WARM_KEYS = 100_000;

  private static final int WARM_SECONDS = 150;

  /** The last part of it, in which it is found out how fast the product is. */
  private static final int FULL_SECONDS = 10;

  /** How much of what is used up until the kill is there at most to be used up. */
  private static final double ROOM = 1.2;

  private volatile AtomicLongArray admitted = new AtomicLongArray(0);
  private final LongAdder failed = new LongAdder();
  private final LongAdder warmed = new LongAdder();
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong gapNanos = new AtomicLong();
  private final String kind;
  private final List<String> addresses;
  private final long endNanos;

  private FailoverBench(String kind, List<String> addresses, long seconds) {
    this.kind = kind;
    this.addresses = addresses;
    this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_SECONDS + seconds);
  }

  public static void main(String[] arguments) throws Exception {
    int seconds = Integer.parseInt(arguments[2]);
    FailoverBench bench =
        new FailoverBench(arguments[0], List.of(arguments[1].split(",")), seconds);
    List<Thread> threads =
        IntStream.range(0, THREADS).mapToObj(i -> new Thread(() -> bench.ask(i))).toList();
    threads.forEach(Thread::start);
    TimeUnit.SECONDS.sleep(WARM_SECONDS - FULL_SECONDS);
    long before = bench.warmed.sum();
    TimeUnit.SECONDS.sleep(FULL_SECONDS);
    long perSecond = (bench.warmed.sum() - before) / FULL_SECONDS;
    int untilKill = seconds / 3;
    double units = ROOM * perSecond * untilKill;
    bench.admitted = new AtomicLongArray((int) Math.max(1, units / Door.LIMIT));
    TimeUnit.SECONDS.sleep(untilKill);
    bench.gapNanos.set(0);
    bench.failed.reset();
    new ProcessBuilder("bash", "-c", arguments[3]).inheritIO().start().waitFor();
    for (Thread thread : threads) {
      thread.join();
    }
    bench.tell(perSecond);
  }

  /** Asks one node until it does not answer, and then any. */
  private void ask(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int node = seed % addresses.size();
    Door door = null;
    for (long now = System.nanoTime(); now < endNanos; now = System.nanoTime()) {
      AtomicLongArray counts = admitted;
      int keys = counts.length();
      int key = random.nextInt(keys > 0 ? keys : WARM_KEYS);
      try {
        door = door == null ? Door.of(kind, addresses.get(node)) : door;
        boolean isAdmitted = door.isAdmitted((keys > 0 ? "key" : "warm") + name(key));
        if (keys > 0) {
          counts.addAndGet(key, isAdmitted ? 1 : 0);
          note();
        } else {
          warmed.increment();
        }
      } catch (IOException e) {
        failed.increment();
        node = random.nextInt(addresses.size());
        door = null;
      }
    }
  }

  /** Not one after the other: a hash that spreads badly would give all keys to one node. */
  private static String name(int key) {
    return Integer.toHexString(key * 0x9E37_79B9);
  }

  private void note() {
    long nowNanos = System.nanoTime();
    long silent = nowNanos - lastNanos.getAndSet(nowNanos);
    gapNanos.accumulateAndGet(silent, Math::max);
  }

  private void tell(long perSecond) {
    long beyond = 0;
    long all = 0;
    for (int key = 0; key < admitted.length(); key++) {
      beyond += Math.max(0, admitted.get(key) - Door.LIMIT);
      all += admitted.get(key);
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %d of %d | %d | %d | %d ms |%n",
        kind,
        perSecond,
        all,
        (long) admitted.length() * Door.LIMIT,
        beyond,
        failed.sum(),
        TimeUnit.NANOSECONDS.toMillis(gapNanos.get()));
  }
}
