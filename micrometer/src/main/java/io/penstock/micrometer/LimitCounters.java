package io.penstock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.penstock.core.Decision;
import io.penstock.core.Reason;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counters of one limit, which a decision finds without asking the registry. Thread-safe. */
final class LimitCounters {
  private final OfResult allowed;
  private final OfResult denied;

  LimitCounters(MeterRegistry registry, String limiter, String limit) {
    Tags tags = Tags.of("limiter", limiter, "limit", limit);
    this.allowed = new OfResult(registry, tags.and("result", "allowed"));
    this.denied = new OfResult(registry, tags.and("result", "denied"));
  }

  void count(long cost, Decision decision) {
    (decision.allowed() ? allowed : denied).count(cost, decision.reason());
  }

  private static final class OfResult {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter cost;
    private final Map<Reason, Counter> decisions = new ConcurrentHashMap<>();

    OfResult(MeterRegistry registry, Tags tags) {
      this.registry = registry;
      this.tags = tags;
      this.cost =
          Counter.builder("penstock.cost")
              .description("Units that decisions of a limiter were about")
              .tags(tags)
              .register(registry);
    }

    void count(long units, Reason reason) {
      Counter counter = decisions.get(reason);
      (counter == null ? create(reason) : counter).increment();
      if (units > 0) {
        cost.increment((double) units);
      }
    }

    private Counter create(Reason reason) {
      String name = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
      return decisions.computeIfAbsent(
          reason,
          each ->
              Counter.builder("penstock.decisions")
                  .description("Decisions of a limiter")
                  .tags(tags.and("reason", name))
                  .register(registry));
    }
  }
}
