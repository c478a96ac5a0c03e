package io.penstock.bench;

import io.penstock.core.Algorithm;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;

/**
 * How much memory a key takes: fills a limiter on a clock that stands still, so that every key
 * stays in use, and measures the process before and after.
 *
 * <p>Arguments: algorithm, policy, keys, and how many units each key takes, each at another
 * instant.
 */
final class MemoryBench {
  private static final long MAX_BYTES = 16L << 30;
  private static final int SAMPLE_EVERY = 50_000;
  private static final int STOPS = 10;
  private static final String WORST = "bytesPerKeyWorstFromHalf";

  private final ManualClock clock = new ManualClock();
  private final MemoryLimiter limiter;
  private final int keys;
  private final Facts facts = new Facts();
  private long directMax;

  private MemoryBench(Policy policy, int keys) {
    this.limiter = Limiter.builder().policy(policy).clock(clock).maxBytes(MAX_BYTES).build();
    this.keys = keys;
  }

  public static void main(String[] arguments) throws InterruptedException {
    Policy policy = Policy.parse(arguments[1]).withAlgorithm(Algorithm.named(arguments[0]));
    int keys = Integer.parseInt(arguments[2]);
    int units = Integer.parseInt(arguments[3]);
    Footprint.warmUp(() -> new MemoryBench(policy, SAMPLE_EVERY).fill(Footprint.measure()));
    Footprint before = Footprint.measure();
    MemoryBench bench = new MemoryBench(policy, keys);
    for (int i = 0; i < units; i++) {
      bench.fill(before);
      bench.clock.advance(1_000);
    }
    bench.report(Footprint.measure().minus(before), units);
    bench.facts.put("algorithm", arguments[0]);
    bench.facts.put("policy", arguments[1]);
    bench.facts.print(System.out);
  }

  /** Takes one unit of every key; the first time, notes the bytes per key at every tenth. */
  private void fill(Footprint before) {
    KeyStream stream = new KeyStream(keys, /* seed= */ 0);
    double worst = 0;
    for (int i = 0; i < keys; i++) {
      if (!limiter.isAllowed(stream.at(i), 0, KeyStream.LENGTH)) {
        throw new IllegalStateException("key " + i + " (expected: allowed while filling)");
      }
      if (i % SAMPLE_EVERY == 0) {
        directMax = Math.max(directMax, Footprint.directNow() - before.directBytes());
      }
      int done = i + 1;
      if (done % (keys / STOPS) == 0 && done >= keys / 2) {
        worst = Math.max(worst, (double) Footprint.measure().minus(before).bytes() / done);
      }
    }
    if (!facts.has(WORST)) {
      facts.put(WORST, worst);
    }
  }

  private void report(Footprint used, int units) {
    facts.put("keys", keys);
    facts.put("units", units);
    facts.put("bytesPerKey", (double) used.bytes() / keys);
    facts.put("heapBytes", used.heapBytes());
    facts.put("directBytes", used.directBytes());
    facts.put("directBytesMax", directMax);
    facts.put("residentBytesPerKey", (double) used.residentBytes() / keys);
    facts.put("saysBytes", limiter.memory().bytes());
    facts.put("refused", limiter.memory().refused());
  }
}
