package io.penstock.server.ops;

import io.opentelemetry.api.trace.Span;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Held;
import io.penstock.server.node.Part;
import io.penstock.server.node.Why;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times the decisions of one protocol. Thread-safe.
 *
 * <p>Series are per template of a scope, never per scope: a customer's own policy must not make a
 * series. A few thousand scopes are remembered with their series, each where its hash says, so that
 * a decision costs one look and one add, however many policies there are.
 */
public final class Decisions {
  private static final int REMEMBERED = 4_096;
  private static final String NO_POLICY = "";
  private static final String REQUEST = "cl.throttle";
  private static final String OTHER = "other";

  private record Known(String scope, Series series) {}

  private final String protocol;
  private final Room room;
  private final LongSupplier ticks;
  private final @Nullable Traces traces;
  private final ConcurrentMap<String, Series> byTemplate = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable Known> known =
      new AtomicReferenceArray<>(REMEMBERED);
  private final Series none = new Series();
  private final Series throttled = new Series();
  private final Series other = new Series();
  private final Latency latency = new Latency();

  /** These are few, so they need no place. */
  private final Room ample = new Room(Integer.MAX_VALUE);

  Decisions(String protocol, Room room, LongSupplier ticks, @Nullable Traces traces) {
    this.protocol = protocol;
    this.room = room;
    this.ticks = ticks;
    this.traces = traces;
  }

  /** Whether anybody asks for the origin of a request. */
  public boolean areTraced() {
    return traces != null;
  }

  /** Wraps whoever waits for an answer, so that the check is counted, timed and traced. */
  public Asker<Answer> watch(CheckRequest request, Origin origin, Asker<Answer> done) {
    return new Watched(ticks.getAsLong(), start("penstock.check", request, origin), done);
  }

  /** Wraps whoever waits for a reservation, so that it is counted and traced. */
  public Asker<Held> watchReserve(CheckRequest request, Origin origin, Asker<Held> done) {
    return watchHeld(start("penstock.reserve", request, origin), done);
  }

  /** Wraps whoever waits for a lease, so that it is counted and traced. */
  public Asker<Held> watchAcquire(CheckRequest request, Origin origin, Asker<Held> done) {
    return watchHeld(start("penstock.acquire", request, origin), done);
  }

  private Asker<Held> watchHeld(@Nullable Span span, Asker<Held> done) {
    return Asker.of(
        held -> {
          count(held.answer());
          end(span, held.answer());
          done.accept(held);
        },
        cause -> {
          end(span, cause);
          done.fail(cause);
        });
  }

  private @Nullable Span start(String name, CheckRequest request, Origin origin) {
    return traces == null ? null : traces.start(name, protocol, request, origin);
  }

  private void end(@Nullable Span span, Answer answer) {
    if (traces != null && span != null) {
      traces.end(span, answer);
    }
  }

  private static void end(@Nullable Span span, RuntimeException cause) {
    if (span != null) {
      span.recordException(cause).end();
    }
  }

  private final class Watched implements Asker<Answer> {
    private final long start;
    private final @Nullable Span span;
    private final Asker<Answer> done;

    Watched(long start, @Nullable Span span, Asker<Answer> done) {
      this.start = start;
      this.span = span;
      this.done = done;
    }

    @Override
    public void accept(Answer answer) {
      count(answer);
      latency.record(ticks.getAsLong() - start);
      end(span, answer);
      done.accept(answer);
    }

    @Override
    public void fail(RuntimeException cause) {
      end(span, cause);
      done.fail(cause);
    }
  }

  /** Counts an answer, by the part that decided. */
  void count(Answer answer) {
    Part part = answer.part();
    String scope = part.policy();
    if (scope == null) {
      none.add(part.why(), answer.allowed(), ample);
    } else if (!series(scope).add(part.why(), answer.allowed(), room)) {
      other.add(part.why(), answer.allowed(), ample);
    }
  }

  /** Counts a check that brought its own limit. */
  public void countThrottled(boolean allowed) {
    throttled.add(allowed ? Why.OK : Why.LIMITED, allowed, ample);
  }

  private Series series(String scope) {
    int place = (scope.hashCode() * 0x9E3779B9) >>> 20;
    Known found = known.get(place);
    if (found != null && found.scope().equals(scope)) {
      return found.series();
    }
    Series series = byTemplate.computeIfAbsent(Templates.of(scope), template -> new Series());
    known.set(place, new Known(scope, series));
    return series;
  }

  void tell(CounterSnapshot.Builder counters, HistogramSnapshot.Builder times) {
    tell(counters, NO_POLICY, none);
    tell(counters, REQUEST, throttled);
    tell(counters, OTHER, other);
    byTemplate.forEach((template, series) -> tell(counters, template, series));
    times.dataPoint(latency.snapshot(Labels.of("protocol", protocol)));
  }

  private void tell(CounterSnapshot.Builder counters, String template, Series series) {
    series.visit(
        (reason, allowed, count) ->
            counters.dataPoint(
                CounterDataPointSnapshot.builder()
                    .labels(
                        Labels.of(
                            "policy",
                            template,
                            "protocol",
                            protocol,
                            "reason",
                            reason.text(),
                            "result",
                            allowed ? "allowed" : "denied"))
                    .value((double) count)
                    .build()));
  }
}
