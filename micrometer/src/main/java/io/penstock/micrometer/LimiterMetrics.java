package io.penstock.micrometer;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.core.Decision;
import io.penstock.core.DecisionListener;
import io.penstock.core.MemoryLimiter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a limiter decides and how much memory it uses, as Micrometer meters. Thread-safe.
 *
 * <pre>{@code
 * LimiterMetrics metrics = LimiterMetrics.of(registry, "api");
 * MemoryLimiter limiter = Limiter.builder().policy("100/s").listener(metrics).build();
 * metrics.watchMemory(limiter);
 * }</pre>
 *
 * <ul>
 *   <li>{@code penstock.decisions}: decisions by {@code limiter}, {@code result} (allowed, denied),
 *       {@code reason} (ok, limited, never, blocked, fail-open, fail-closed) and {@code limit}, the
 *       text of the limit that decided
 *   <li>{@code penstock.cost}: the units they asked for, by {@code limiter}, {@code result} and
 *       {@code limit}; what is given back is not subtracted
 *   <li>{@code penstock.memory.used}, {@code penstock.memory.max}: bytes, by {@code limiter}
 *   <li>{@code penstock.memory.full}: checks that found no memory, by {@code limiter}
 * </ul>
 *
 * <p>No tag ever holds a key. The first {@value #LIMITS_MAX} limits have series of their own; the
 * others share the limit {@code other}.
 */
public final class LimiterMetrics implements DecisionListener {
  static final int LIMITS_MAX = 100;
  static final String OTHER = "other";

  private final MeterRegistry registry;
  private final String limiter;

  /* By text: a policy that is put again makes new limits, and theirs are the same series. */
  private final Map<String, LimitCounters> counters = new ConcurrentHashMap<>();

  private LimiterMetrics(MeterRegistry registry, String limiter) {
    this.registry = requireNonNull(registry, "registry: null (expected: a MeterRegistry)");
    this.limiter = requireNonNull(limiter, "limiter: null (expected: a name)");
    if (limiter.isBlank()) {
      throw new IllegalArgumentException("limiter: \"" + limiter + "\" (expected: a name)");
    }
  }

  /** Meters in a registry, for a limiter of that name. */
  public static LimiterMetrics of(MeterRegistry registry, String limiter) {
    return new LimiterMetrics(registry, limiter);
  }

  @Override
  public void onDecision(String key, long cost, Decision decision) {
    requireNonNull(key, "key: null (expected: a text)");
    requireNonNull(decision, "decision: null (expected: a decision)");
    String limit = decision.limit().toString();
    LimitCounters found = counters.get(limit);
    if (found == null && counters.size() > LIMITS_MAX) {
      found = counters.get(OTHER);
    }
    (found == null ? create(limit) : found).count(cost, decision);
  }

  private synchronized LimitCounters create(String limit) {
    boolean known = counters.containsKey(limit);
    String text = known || counters.size() < LIMITS_MAX ? limit : OTHER;
    return counters.computeIfAbsent(text, each -> new LimitCounters(registry, limiter, each));
  }

  /** Adds gauges for the memory of a limiter. They do not keep it from being collected. */
  public void watchMemory(MemoryLimiter memory) {
    requireNonNull(memory, "memory: null (expected: a MemoryLimiter)");
    Gauge.builder("penstock.memory.used", memory, each -> each.memory().bytes())
        .description("Bytes of states a limiter holds")
        .baseUnit("bytes")
        .tag("limiter", limiter)
        .register(registry);
    Gauge.builder("penstock.memory.max", memory, each -> each.memory().bytesMax())
        .description("Bytes of states a limiter may hold")
        .baseUnit("bytes")
        .tag("limiter", limiter)
        .register(registry);
    FunctionCounter.builder("penstock.memory.full", memory, each -> each.memory().refused())
        .description("Checks answered by fail mode because memory was full or a store threw")
        .tag("limiter", limiter)
        .register(registry);
  }
}
