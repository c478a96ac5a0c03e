package io.penstock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * What this process holds: the heap after collecting, the direct buffers, and what the kernel says
 * is resident. Immutable.
 */
record Footprint(long heapBytes, long directBytes, long residentBytes) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int COLLECTIONS_MIN = 5;
  private static final long SETTLE_NANOS = 50_000_000;
  private static final long BYTES_PER_KIB = 1024;

  /** Loads and compiles what a task needs, in a thread that ends, so that nothing else remains. */
  static void warmUp(Runnable task) throws InterruptedException {
    Thread thread = new Thread(task, "warm-up");
    thread.start();
    thread.join();
  }

  static Footprint measure() {
    // Direct buffers are freed by a thread of their own, some time after the collection.
    long before = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS_MIN || directNow() < before; i++) {
      before = directNow();
      System.gc();
      LockSupport.parkNanos(SETTLE_NANOS);
    }
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Footprint(heap, directNow(), residentNow());
  }

  /** Without collecting first: cheap enough to call while filling. */
  static long directNow() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** 0 where the kernel does not say. */
  private static long residentNow() {
    if (!Files.exists(STATUS)) {
      return 0;
    }
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KIB)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + STATUS, e);
    }
  }

  long bytes() {
    return heapBytes + directBytes;
  }

  Footprint minus(Footprint before) {
    return new Footprint(
        heapBytes - before.heapBytes,
        directBytes - before.directBytes,
        residentBytes - before.residentBytes);
  }
}
