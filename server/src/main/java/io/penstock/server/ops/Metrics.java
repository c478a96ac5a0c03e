package io.penstock.server.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the server, in the format of Prometheus. Thread-safe.
 *
 * <p>Nothing of it is made before somebody asks: a start is short, and decisions are counted beside
 * the registry.
 */
public final class Metrics {
  /** All series there may be, and those kept for what is not a decision by a policy. */
  private static final int SERIES_MAX = 10_000;

  private static final int SERIES_KEPT = 1_000;

  private interface Binding {
    void bind(PrometheusMeterRegistry registry);
  }

  private final LongSupplier ticks;
  private final @Nullable Traces traces;
  private final Room room = new Room(SERIES_MAX - SERIES_KEPT);
  private final List<Decisions> decisions = new CopyOnWriteArrayList<>();
  private final List<Binding> bindings = new CopyOnWriteArrayList<>();
  private @Nullable PrometheusMeterRegistry registry;

  /**
   * Metrics of one server.
   *
   * @param ticks monotonic nanoseconds
   * @param traced whether there are spans
   */
  public Metrics(LongSupplier ticks, boolean traced) {
    this.ticks = ticks;
    this.traces = traced ? Traces.ofAgent() : null;
  }

  /** Counts the decisions of a protocol. */
  public Decisions decisions(String protocol) {
    Decisions made = new Decisions(protocol, room, ticks, traces);
    decisions.add(made);
    return made;
  }

  /** Tells several series of one name apart; it has few values, all known before. */
  public record Label(String name, String value) {
    private Tags tags() {
      return Tags.of(name, value);
    }
  }

  /** Tells a value whenever somebody asks. */
  public void gauge(String name, String description, DoubleSupplier value) {
    gauge(name, description, Tags.empty(), value);
  }

  /** The same, as one of several. */
  public void gauge(String name, String description, Label label, DoubleSupplier value) {
    gauge(name, description, label.tags(), value);
  }

  private void gauge(String name, String description, Tags tags, DoubleSupplier value) {
    bind(
        made ->
            Gauge.builder(name, value, DoubleSupplier::getAsDouble)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(made));
  }

  /** Tells a number that only grows. */
  public void counter(String name, String description, LongSupplier count) {
    counter(name, description, Tags.empty(), count);
  }

  /** The same, as one of several. */
  public void counter(String name, String description, Label label, LongSupplier count) {
    counter(name, description, label.tags(), count);
  }

  private void counter(String name, String description, Tags tags, LongSupplier count) {
    bind(
        made ->
            FunctionCounter.builder(name, count, LongSupplier::getAsLong)
                .description(description)
                .tags(tags)
                .register(made));
  }

  /** Somebody may have asked already, while this node waited for others. */
  private synchronized void bind(Binding binding) {
    bindings.add(binding);
    if (registry != null) {
      binding.bind(registry);
    }
  }

  /** The body of {@code /metrics}. */
  public synchronized String scrape() {
    if (registry == null) {
      registry = made();
    }
    return registry.scrape();
  }

  private PrometheusMeterRegistry made() {
    PrometheusMeterRegistry made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    made.getPrometheusRegistry().register((MultiCollector) this::snapshots);
    bindings.forEach(binding -> binding.bind(made));
    new JvmMemoryMetrics().bindTo(made);
    new JvmThreadMetrics().bindTo(made);
    new ProcessorMetrics().bindTo(made);
    new UptimeMetrics().bindTo(made);
    // Listens to the collector for the rest of the process.
    @SuppressWarnings("resource")
    JvmGcMetrics collections = new JvmGcMetrics();
    collections.bindTo(made);
    return made;
  }

  private MetricSnapshots snapshots() {
    CounterSnapshot.Builder counters =
        CounterSnapshot.builder().name("penstock_decisions").help("Checks that were decided.");
    HistogramSnapshot.Builder times =
        HistogramSnapshot.builder()
            .name("penstock_check_seconds")
            .help("From a check that was read to its answer.");
    decisions.forEach(each -> each.tell(counters, times));
    return MetricSnapshots.of(counters.build(), times.build());
  }
}
