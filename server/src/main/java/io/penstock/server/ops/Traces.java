package io.penstock.server.ops;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.penstock.server.node.Answer;
import io.penstock.server.node.CheckRequest;

/**
 * A span for every check, by whatever OpenTelemetry agent is there; no text of a key. Thread-safe.
 */
final class Traces {
  private final Tracer tracer;

  Traces(OpenTelemetry telemetry) {
    this.tracer = telemetry.getTracer("io.penstock.server");
  }

  /** By the agent of this process. */
  static Traces ofAgent() {
    return new Traces(GlobalOpenTelemetry.get());
  }

  Span start(String protocol, CheckRequest request) {
    return tracer
        .spanBuilder("penstock.check")
        .setAttribute("penstock.protocol", protocol)
        .setAttribute("penstock.domain", request.domain())
        .setAttribute("penstock.descriptors", request.asked().size())
        .startSpan();
  }

  void end(Span span, Answer answer) {
    String policy = answer.part().policy();
    span.setAttribute("penstock.allowed", answer.allowed())
        .setAttribute("penstock.reason", answer.why().text())
        .setAttribute("penstock.policy", policy == null ? "" : Templates.of(policy))
        .end();
  }
}
