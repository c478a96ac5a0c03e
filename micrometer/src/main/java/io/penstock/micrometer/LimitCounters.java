package io.penstock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.core.Decision;
import io.penstock.core.Reason;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The counters of one limit, made when first needed and then found by index. Thread-safe. */
final class LimitCounters {
  private final MeterRegistry registry;
  private final String limiter;
  private final String limit;
  private final AtomicReferenceArray<Counter> decisions =
      new AtomicReferenceArray<>(2 * Reason.values().length);
  private final AtomicReferenceArray<Counter> costs = new AtomicReferenceArray<>(2);

  LimitCounters(MeterRegistry registry, String limiter, String limit) {
    this.registry = registry;
    this.limiter = limiter;
    this.limit = limit;
  }

  void count(long cost, Decision decision) {
    int allowed = decision.allowed() ? 1 : 0;
    int index = 2 * decision.reason().ordinal() + allowed;
    Counter counter = decisions.get(index);
    if (counter == null) {
      // Two threads may both come here: the registry gives them the same counter.
      counter = decisionCounter(decision);
      decisions.set(index, counter);
    }
    counter.increment();
    if (cost > 0) {
      Counter units = costs.get(allowed);
      if (units == null) {
        units = costCounter(decision);
        costs.set(allowed, units);
      }
      units.increment(cost);
    }
  }

  private Counter decisionCounter(Decision decision) {
    String reason = decision.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
    return Counter.builder("penstock.decisions")
        .description("Decisions of a limiter")
        .tag("limiter", limiter)
        .tag("result", result(decision))
        .tag("reason", reason)
        .tag("limit", limit)
        .register(registry);
  }

  private Counter costCounter(Decision decision) {
    return Counter.builder("penstock.cost")
        .description("Units that decisions of a limiter were about")
        .tag("limiter", limiter)
        .tag("result", result(decision))
        .tag("limit", limit)
        .register(registry);
  }

  private static String result(Decision decision) {
    return decision.allowed() ? "allowed" : "denied";
  }
}
