package io.penstock.server.ops;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The agent of this process while it is open: it keeps a line for every span that has ended. */
public final class SpanRecorder implements AutoCloseable {
  /** A span of somebody else, as header field and as it is told here. */
  public static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  public static final String BELOW = " below 0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331";

  private final List<String> ended = new CopyOnWriteArrayList<>();

  public SpanRecorder() {
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(
        new OpenTelemetry() {
          @Override
          public TracerProvider getTracerProvider() {
            return tracers();
          }

          @Override
          public ContextPropagators getPropagators() {
            return ContextPropagators.noop();
          }
        });
  }

  private TracerProvider tracers() {
    Tracer tracer = this::builder;
    return new TracerProvider() {
      @Override
      public Tracer get(String scope) {
        return tracer;
      }

      @Override
      public Tracer get(String scope, String version) {
        return tracer;
      }
    };
  }

  private SpanBuilder builder(String name) {
    String[] below = {""};
    return made(
        SpanBuilder.class,
        (self, method, given) -> {
          if (method.getName().equals("setParent")) {
            SpanContext parent = Span.fromContext((Context) given[0]).getSpanContext();
            below[0] = " below " + parent.getTraceId() + "-" + parent.getSpanId();
          }
          return method.getName().equals("startSpan") ? span(name + below[0]) : self;
        });
  }

  private Span span(String text) {
    return made(
        Span.class,
        (self, method, given) -> {
          if (method.getName().equals("end")) {
            ended.add(text);
          }
          return method.getReturnType() == void.class ? null : self;
        });
  }

  private static <T> T made(Class<T> part, InvocationHandler calls) {
    return part.cast(Proxy.newProxyInstance(part.getClassLoader(), new Class<?>[] {part}, calls));
  }

  /** The name of each span that has ended, and the one that it is below, if it was given one. */
  public List<String> ended() {
    return ended;
  }

  @Override
  public void close() {
    GlobalOpenTelemetry.resetForTest();
  }
}
