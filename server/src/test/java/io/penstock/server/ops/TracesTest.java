package io.penstock.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Scope;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import io.penstock.server.node.Why;
import io.penstock.testkit.LogLines;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** What an agent of OpenTelemetry is told; it alone decides where that is sent. */
class TracesTest {
  private final List<String> told = new ArrayList<>();

  /** Writes down every call, and answers it with the next part. */
  private <T> T recording(Class<T> part, Object next) {
    return part.cast(
        Proxy.newProxyInstance(
            part.getClassLoader(),
            new Class<?>[] {part},
            (self, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              told.add(method.getName() + List.of(given));
              return method.getReturnType().isInstance(self)
                  ? self
                  : method.getReturnType() == void.class ? null : next;
            }));
  }

  private OpenTelemetry agent() {
    Span span = recording(Span.class, "nothing");
    SpanBuilder builder = recording(SpanBuilder.class, span);
    Tracer tracer = recording(Tracer.class, builder);
    return recording(OpenTelemetry.class, tracer);
  }

  @Test
  void start_tracedWithoutAnAgent_saysOnceWhatIsMissing() {
    try (LogLines log = new LogLines(Traces.class.getName(), Level.WARNING)) {
      assertThat(new Metrics(() -> 0, /* traced= */ false)).isNotNull();
      assertThat(log.lines()).isEmpty();
      assertThat(new Metrics(() -> 0, /* traced= */ true)).isNotNull();
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("traces: true (expected: an OpenTelemetry agent")
          .contains("PENSTOCK_JAVA_OPTS=-javaagent:")
          .endsWith("no span is made");
    }
  }

  @Test
  void missing_agentIsThere_isNothing() {
    TracerProvider provider = recording(TracerProvider.class, "nothing");
    assertThat(Traces.missing(recording(OpenTelemetry.class, provider))).isNull();
  }

  @Test
  void watch_traced_tellsOneSpanWithoutTheTextOfAKey() {
    Decisions decisions = new Decisions("http", new Room(10), () -> 0, new Traces(agent()));
    Asked asked = new Asked(Descriptor.of("user", "secret-42"), 1, /* given= */ null);
    CheckRequest request =
        new CheckRequest("api", List.of(asked), /* requestId= */ null, /* mayRefund= */ false);
    Meter meter = new Meter(Limit.parse("1/s"), /* denied= */ true, 0, 1, 1, 1);
    Part part =
        new Part(
            /* allowed= */ false,
            "api/user=secret-42",
            1,
            Why.LIMITED,
            0,
            List.of(meter),
            Part.AS_METER);
    Answer answer =
        new Answer(
            /* allowed= */ false,
            /* deciding= */ 0,
            List.of(part),
            /* waitNanos= */ 0,
            Durability.FAST,
            "n1",
            /* duplicate= */ false);
    List<Answer> answers = new ArrayList<>();
    decisions.watch(request, Origin.NONE, Asker.of(answers::add, cause -> {})).accept(answer);
    assertThat(answers).containsExactly(answer);
    assertThat(told)
        .containsExactly(
            "getTracer[io.penstock.server]",
            "spanBuilder[penstock.check]",
            "setAttribute[penstock.protocol, http]",
            "setAttribute[penstock.domain, api]",
            "setAttribute[penstock.descriptors, 1]",
            "startSpan[]",
            "setAttribute[penstock.allowed, false]",
            "setAttribute[penstock.reason, limited]",
            "setAttribute[penstock.policy, api/user]",
            "end[]");
    assertThat(told.toString()).doesNotContain("secret");
  }

  /** How a span begins for one who asks within the span that they tell, while another is here. */
  private boolean isBelowTheirs(SpanContext here) {
    String theirs = SpanRecorder.PARENT;
    CheckRequest request = CheckRequest.of("api", List.of(Descriptor.of("user", "a")), 1);
    try (Scope scope = Span.wrap(here).makeCurrent()) {
      assertThat(scope).isNotNull();
      Span span = new Traces(agent()).start("x", "http", request, name -> theirs);
      assertThat(span).isNotNull();
    }
    return told.stream().anyMatch(call -> call.startsWith("setParent"));
  }

  private static SpanContext span(String trace) {
    return SpanContext.create(
        trace, "00f067aa0ba902b7", TraceFlags.getSampled(), TraceState.getDefault());
  }

  @Test
  void start_agentHasASpanOfThatTraceAlready_isBelowThat() {
    assertThat(isBelowTheirs(span("0af7651916cd43dd8448eb211c80319c"))).isFalse();
  }

  @Test
  void start_agentHasNoneOrAnotherTrace_isBelowTheirs() {
    assertThat(isBelowTheirs(SpanContext.getInvalid())).isTrue();
    told.clear();
    assertThat(isBelowTheirs(span("4bf92f3577b34da6a3ce929d0e0e4736"))).isTrue();
  }
}
