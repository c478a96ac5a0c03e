package io.penstock.bench;

import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Keys that are used once and never again, through a limiter whose memory holds only a few of them:
 * idle keys must make room, a little at each decision. Every decision is timed.
 *
 * <p>On a shared machine the hypervisor takes the processor away for milliseconds at a time, and
 * that shows up as a slow decision. So each chunk is followed by a loop of the same length in time
 * that does all but the decision, and its slow turns are counted too.
 *
 * <p>Arguments: keys in total, keys in use at a time, and the bound of the limiter's memory in
 * bytes.
 */
final class ChurnBench {
  /** A key that has taken its one unit is idle a second later. */
  private static final Policy POLICY = Policy.parse("1/s");

  private static final long LIFE_NANOS = 1_000_000_000;
  private static final int CHUNK = 1 << 20;
  private static final int CLOCK_EVERY = 1 << 10;
  private static final int CLOCK_MASK = CLOCK_EVERY - 1;
  private static final long SLOW_NANOS = 1_000_000;
  private static final int WARM_UP_KEYS = 4 * CHUNK;

  private final ManualClock clock = new ManualClock();
  private final KeyStream stream = new KeyStream(/* keys= */ 1, /* seed= */ 0);
  private final MemoryLimiter limiter;
  private final long tickNanos;
  private final Histogram decisions = new Histogram();
  private final Histogram idling = new Histogram();
  private final List<Long> slowAt = new ArrayList<>();
  private long denied;
  private long sum;

  private ChurnBench(long live, long maxBytes) {
    this.limiter = Limiter.builder().policy(POLICY).clock(clock).maxBytes(maxBytes).build();
    this.tickNanos = LIFE_NANOS * CLOCK_EVERY / live;
  }

  public static void main(String[] arguments) throws InterruptedException {
    long keys = Long.parseLong(arguments[0]);
    long live = Long.parseLong(arguments[1]);
    long maxBytes = Long.parseLong(arguments[2]);
    Footprint.warmUp(() -> new ChurnBench(WARM_UP_KEYS / 4, maxBytes).run(WARM_UP_KEYS));

    Footprint before = Footprint.measure();
    ChurnBench bench = new ChurnBench(live, maxBytes);
    long half = keys / 2;
    bench.run(half);
    Footprint halfWay = Footprint.measure().minus(before);
    bench.runFrom(half, keys);
    Footprint late = Footprint.measure().minus(before);

    Facts facts = bench.facts();
    facts.put("keys", keys);
    facts.put("live", live);
    facts.put("maxBytes", maxBytes);
    facts.put("bytesHalfWay", halfWay.bytes());
    facts.put("bytesLate", late.bytes());
    facts.print(System.out);
  }

  private void run(long keys) {
    runFrom(0, keys);
  }

  private void runFrom(long first, long end) {
    for (long from = first; from < end; from += CHUNK) {
      long start = System.nanoTime();
      decide(from, Math.min(end, from + CHUNK));
      idle(System.nanoTime() - start);
    }
  }

  private void decide(long from, long to) {
    long last = System.nanoTime();
    for (long i = from; i < to; i++) {
      if ((i & CLOCK_MASK) == 0) {
        clock.advance(tickNanos);
      }
      boolean allowed = limiter.isAllowed(stream.at(i), 0, KeyStream.LENGTH);
      long now = System.nanoTime();
      long took = now - last;
      last = now;
      decisions.add(took);
      denied += allowed ? 0 : 1;
      if (took >= SLOW_NANOS) {
        slowAt.add(i);
      }
    }
  }

  /** The same loop, for that long, with the hash in place of the decision. */
  private void idle(long nanos) {
    long last = System.nanoTime();
    long end = last + nanos;
    for (long i = 0; last < end; i++) {
      sum += limiter.hash(stream.at(i), 0, KeyStream.LENGTH);
      long now = System.nanoTime();
      idling.add(now - last);
      last = now;
    }
  }

  private Facts facts() {
    Facts facts = new Facts();
    facts.put("refused", limiter.memory().refused());
    facts.put("denied", denied);
    facts.put("saysBytes", limiter.memory().bytes());
    facts.put("medianNanos", decisions.quantile(0.5));
    facts.put("p9999Nanos", decisions.quantile(0.9999));
    facts.put("maxNanos", decisions.max());
    facts.put("slow", decisions.atLeast(SLOW_NANOS));
    facts.put("idleMedianNanos", idling.quantile(0.5));
    facts.put("idleP9999Nanos", idling.quantile(0.9999));
    facts.put("idleMaxNanos", idling.max());
    facts.put("idleSlow", idling.atLeast(SLOW_NANOS));
    facts.put("idleTurns", idling.total());
    facts.put("slowAt", slowAt.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    facts.put("sum", sum);
    return facts;
  }
}
