package io.penstock.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Part;
import io.penstock.server.node.Why;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final AtomicLong ticks = new AtomicLong();
  private final Metrics metrics = new Metrics(ticks::get, /* traced= */ false);
  private final Decisions http = metrics.decisions("http");

  private static Answer answer(@Nullable String policy, Why why, boolean allowed) {
    Part part = new Part(allowed, policy, 1, why, -1, List.of(), Part.AS_METER);
    return new Answer(allowed, 0, List.of(part), 0, Durability.FAST, "n1", false);
  }

  private static String line(String policy, String reason, String result) {
    return "penstock_decisions_total{policy=\"%s\",protocol=\"http\",reason=\"%s\",result=\"%s\"}"
        .formatted(policy, reason, result);
  }

  @Test
  void scrape_decisions_areCountedByTemplateAndNeverByKey() {
    http.count(answer("api/user=alice", Why.OK, true));
    http.count(answer("api/user=bob", Why.OK, true));
    http.count(answer("api/user", Why.LIMITED, false));
    http.count(answer(null, Why.NO_POLICY, true));
    http.countThrottled(false);
    metrics.decisions("resp").countThrottled(true);
    assertThat(metrics.scrape())
        .contains(line("api/user", "ok", "allowed") + " 2.0")
        .contains(line("api/user", "limited", "denied") + " 1.0")
        .contains(line("", "no-policy", "allowed") + " 1.0")
        .contains(line("cl.throttle", "limited", "denied") + " 1.0")
        .contains("protocol=\"resp\"")
        .doesNotContain("alice", "bob");
  }

  @Test
  void scrape_tooManyTemplates_countsTheRestAsOther() {
    for (int i = 0; i < 12_000; i++) {
      http.count(answer("api/key" + i, Why.OK, true));
    }
    List<String> series = metrics.scrape().lines().filter(line -> !line.startsWith("#")).toList();
    assertThat(series).hasSizeLessThanOrEqualTo(10_000).hasSizeGreaterThan(9_000);
    assertThat(series).contains(line("other", "ok", "allowed") + " 3000.0");
  }

  @Test
  void watch_check_isTimedAndHandedOn() {
    Answer answer = answer("api/user", Why.OK, true);
    Answer[] got = new Answer[1];
    CheckRequest request = CheckRequest.of("api", List.of(Descriptor.of("user", "alice")), 1);
    var done = http.watch(request, Origin.NONE, Asker.of(each -> got[0] = each, cause -> {}));
    ticks.addAndGet(20_000);
    done.accept(answer);
    assertThat(got[0]).isSameAs(answer);
    assertThat(metrics.scrape())
        .contains("penstock_check_seconds_bucket{protocol=\"http\",le=\"1.6384E-5\"} 0")
        .contains("penstock_check_seconds_bucket{protocol=\"http\",le=\"3.2768E-5\"} 1")
        .contains("penstock_check_seconds_count{protocol=\"http\"} 1")
        .contains("penstock_check_seconds_sum{protocol=\"http\"} 2.0E-5");
  }

  @Test
  void latency_edges_fallIntoTheirBuckets() {
    Latency latency = new Latency();
    latency.record(0);
    latency.record(1L << 13);
    latency.record((1L << 13) + 1);
    latency.record(Long.MAX_VALUE);
    var buckets =
        latency.snapshot(io.prometheus.metrics.model.snapshots.Labels.EMPTY).getClassicBuckets();
    assertThat(buckets.getCount(0)).isEqualTo(2);
    assertThat(buckets.getCount(1)).isEqualTo(1);
    assertThat(buckets.getCount(buckets.size() - 1)).isEqualTo(1);
  }

  @Test
  void scrape_gauges_tellTheirValueNow() {
    AtomicLong value = new AtomicLong(3);
    metrics.gauge("penstock.test", "A test.", value::get);
    metrics.counter("penstock.tested", "Tests.", value::get);
    assertThat(metrics.scrape()).contains("penstock_test 3.0", "penstock_tested_total 3.0");
    value.set(4);
    assertThat(metrics.scrape()).contains("penstock_test 4.0", "jvm_memory_used_bytes");
  }

  @Test
  void scrape_gaugeAddedAfterTheFirst_isToldFromThenOn() {
    assertThat(metrics.scrape()).doesNotContain("penstock_late");
    metrics.gauge("penstock.late", "Late.", new Metrics.Label("group", "meta"), () -> 7);
    metrics.counter("penstock.later", "Later.", new Metrics.Label("reason", "a"), () -> 8);
    assertThat(metrics.scrape())
        .contains("penstock_late{group=\"meta\"} 7.0")
        .contains("penstock_later_total{reason=\"a\"} 8.0");
  }
}
