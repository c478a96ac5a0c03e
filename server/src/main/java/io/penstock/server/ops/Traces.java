package io.penstock.server.ops;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.penstock.server.node.Answer;
import io.penstock.server.node.CheckRequest;
import org.jspecify.annotations.Nullable;

/**
 * A span for every check, reservation and lease, by whatever OpenTelemetry agent is there; no text
 * of a key. Thread-safe.
 */
final class Traces {
  private static final System.Logger LOG = System.getLogger(Traces.class.getName());

  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
  private static final TextMapGetter<Origin> FIELDS =
      (origin, name) -> origin == null ? null : origin.field(name);

  private final Tracer tracer;

  Traces(OpenTelemetry telemetry) {
    this.tracer = telemetry.getTracer("io.penstock.server");
  }

  /** By the agent of this process; if there is none, the log says so once. */
  static Traces ofAgent() {
    OpenTelemetry telemetry = GlobalOpenTelemetry.get();
    String missing = missing(telemetry);
    if (missing != null) {
      LOG.log(System.Logger.Level.WARNING, missing);
    }
    return new Traces(telemetry);
  }

  /** What keeps spans from being made; null if nothing does. */
  static @Nullable String missing(OpenTelemetry telemetry) {
    return telemetry.getTracerProvider() == TracerProvider.noop()
        ? "traces: true (expected: an OpenTelemetry agent, as with"
            + " PENSTOCK_JAVA_OPTS=-javaagent:opentelemetry-javaagent.jar); no span is made"
        : null;
  }

  /** Begins a span below that of whoever asks, if they tell which. */
  Span start(String name, String protocol, CheckRequest request, Origin origin) {
    SpanBuilder span =
        tracer
            .spanBuilder(name)
            .setAttribute("penstock.protocol", protocol)
            .setAttribute("penstock.domain", request.domain())
            .setAttribute("penstock.descriptors", request.asked().size());
    Context asked = W3C.extract(Context.root(), origin, FIELDS);
    return (isNews(asked) ? span.setParent(asked) : span).startSpan();
  }

  /** Whether it is not what the agent knows already, which may have a span between the two. */
  private static boolean isNews(Context asked) {
    SpanContext theirs = Span.fromContext(asked).getSpanContext();
    return theirs.isValid()
        && !theirs.getTraceId().equals(Span.current().getSpanContext().getTraceId());
  }

  void end(Span span, Answer answer) {
    String policy = answer.part().policy();
    span.setAttribute("penstock.allowed", answer.allowed())
        .setAttribute("penstock.reason", answer.why().text())
        .setAttribute("penstock.policy", policy == null ? "" : Templates.of(policy))
        .end();
  }
}
