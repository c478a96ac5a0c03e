package io.penstock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.Decision;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LimiterMetricsTest {
  private static final long START_NANOS = 1_700_000_000_000_000_000L;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LimiterMetrics metrics = LimiterMetrics.of(registry, "api");

  private MemoryLimiter limiter(String policy) {
    return Limiter.builder().policy(policy).clock(() -> START_NANOS).listener(metrics).build();
  }

  private double decisions(String result, String reason, String limit) {
    return registry
        .get("penstock.decisions")
        .tags("limiter", "api", "result", result, "reason", reason, "limit", limit)
        .counter()
        .count();
  }

  private double cost(String result, String limit) {
    return registry
        .get("penstock.cost")
        .tags("limiter", "api", "result", result, "limit", limit)
        .counter()
        .count();
  }

  @Test
  void onDecision_checkOverSeveralKeysThatAnotherDenies_countsNothing() {
    Limiter users = limiter("100/min");
    Limiter orgs = Limiter.of("1/hour");
    for (int i = 0; i < 5; i++) {
      Limiter.tryAcquireAll(users.check("user:42", 2), orgs.check("org:7", 1));
    }
    assertThat(decisions("allowed", "ok", "100/min")).isEqualTo(1);
    assertThat(cost("allowed", "100/min")).isEqualTo(2);
  }

  @Test
  void onDecision_allowedAndDenied_countsEachByReasonAndLimit() {
    Limiter limiter = limiter("3/min; 5/hour");
    for (int i = 0; i < 5; i++) {
      limiter.tryAcquire("user:42", 1);
    }
    limiter.tryAcquire("user:42", 9);

    assertThat(decisions("allowed", "ok", "3/min")).isEqualTo(3);
    assertThat(decisions("denied", "limited", "3/min")).isEqualTo(2);
    assertThat(decisions("denied", "never", "3/min")).isEqualTo(1);
  }

  @Test
  void onDecision_cost_addsUnitsByResult() {
    Limiter limiter = limiter("10/min");
    limiter.tryAcquire("user:42", 4);
    limiter.tryAcquire("user:42", 5);
    limiter.tryAcquire("user:42", 7);
    limiter.peek("user:42");
    limiter.refund("user:42", 2);

    assertThat(cost("allowed", "10/min")).isEqualTo(9);
    assertThat(cost("denied", "10/min")).isEqualTo(7);
  }

  @Test
  void onDecision_anyKey_isInNoTag() {
    Limiter limiter = limiter("10/min");
    limiter.tryAcquire("user:42");
    limiter.tryAcquire("user:43");

    assertThat(registry.getMeters())
        .flatExtracting(meter -> meter.getId().getTags())
        .extracting(Tag::getValue)
        .noneMatch(value -> value.contains("user"));
    assertThat(registry.getMeters()).as("decisions, and cost by result").hasSize(3);
  }

  @Test
  void onDecision_manyLimits_sharesOtherBeyondTheBound() {
    int all = LimiterMetrics.LIMITS_MAX + 50;
    for (int i = 1; i <= all; i++) {
      metrics.onDecision("user:42", 1, allowed(Limit.parse(i + "/s")));
    }

    assertThat(decisions("allowed", "ok", "100/s")).isEqualTo(1);
    assertThat(decisions("allowed", "ok", LimiterMetrics.OTHER)).isEqualTo(50);
    assertThat(registry.find("penstock.decisions").counters())
        .hasSize(LimiterMetrics.LIMITS_MAX + 1);
  }

  @Test
  void onDecision_knownSeries_leavesTheRegistryAlone() {
    AtomicInteger lookups = new AtomicInteger();
    SimpleMeterRegistry counting = new SimpleMeterRegistry();
    counting
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                lookups.incrementAndGet();
                return id;
              }
            });
    LimiterMetrics listener = LimiterMetrics.of(counting, "api");
    for (int i = 0; i < 10; i++) {
      // The same limit read again, as after an update of the policy.
      listener.onDecision("user:42", 1, allowed(Limit.parse("10/s")));
    }

    assertThat(lookups).as("decisions, and cost by result").hasValue(3);
    assertThat(counting.get("penstock.decisions").counter().count()).isEqualTo(10);
  }

  @Test
  void onDecision_twoLimiters_areApart() {
    LimiterMetrics others = LimiterMetrics.of(registry, "admin");
    metrics.onDecision("user:42", 1, allowed(Limit.parse("10/s")));
    others.onDecision("user:42", 1, allowed(Limit.parse("10/s")));

    assertThat(decisions("allowed", "ok", "10/s")).isEqualTo(1);
  }

  @Test
  void watchMemory_limiterInUse_saysBytesAndBound() {
    MemoryLimiter limiter =
        Limiter.builder().policy(Policy.parse("10/min")).maxBytes(1 << 20).build();
    metrics.watchMemory(limiter);
    for (int i = 0; i < 1000; i++) {
      limiter.tryAcquire("user:" + i);
    }

    MemoryLimiter.Usage usage = limiter.memory();
    assertThat(gauge("penstock.memory.used")).isEqualTo((double) usage.bytes()).isPositive();
    assertThat(gauge("penstock.memory.max")).isEqualTo((double) usage.bytesMax()).isPositive();
    assertThat(registry.get("penstock.memory.full").functionCounter().count()).isZero();
  }

  @Test
  void watchMemory_memoryFull_countsWhatFoundNone() {
    MemoryLimiter limiter =
        Limiter.builder().policy("10/hour").maxBytes(64 << 10).listener(metrics).build();
    metrics.watchMemory(limiter);
    for (int i = 0; i < 20_000; i++) {
      limiter.tryAcquire("user:" + i);
    }

    double full = registry.get("penstock.memory.full").functionCounter().count();
    assertThat(full).isEqualTo((double) limiter.memory().refused()).isPositive();
    assertThat(decisions("allowed", "fail-open", "10/hour")).isEqualTo(full);
  }

  @Test
  @SuppressWarnings("NullAway")
  void metrics_badPart_isRefusedByName() {
    String name = "(expected: a name)";
    assertMissing("limiter: null " + name, () -> LimiterMetrics.of(registry, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimiterMetrics.of(registry, ""))
        .withMessage("limiter: \"\" " + name);
    assertMissing(
        "registry: null (expected: a MeterRegistry)", () -> LimiterMetrics.of(null, "api"));
    assertMissing("memory: null (expected: a MemoryLimiter)", () -> metrics.watchMemory(null));
    Decision decision = allowed(Limit.parse("10/s"));
    assertMissing("key: null (expected: a text)", () -> metrics.onDecision(null, 1, decision));
    assertMissing("decision: null (expected: a decision)", () -> metrics.onDecision("a", 1, null));
  }

  private static void assertMissing(String message, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(message);
  }

  private double gauge(String name) {
    return registry.get(name).tags("limiter", "api").gauge().value();
  }

  private static Decision allowed(Limit limit) {
    return new Decision(true, Reason.OK, 1, 0, 0, 0, limit, 1, List.of());
  }
}
