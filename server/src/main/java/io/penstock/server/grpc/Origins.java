package io.penstock.server.grpc;

import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.penstock.server.ops.Origin;
import org.jspecify.annotations.Nullable;

/** Tells what the metadata of a call says about its trace. Thread-safe. */
final class Origins implements ServerInterceptor {
  private final Context.Key<Origin> origin = Context.key("origin");

  /** The service, whose calls have an origin from now on. */
  BindableService of(BindableService service) {
    return () -> ServerInterceptors.intercept(service, this);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Origin own = name -> headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    return Contexts.interceptCall(Context.current().withValue(origin, own), call, headers, next);
  }

  /** Where the call comes from that runs on this thread. */
  Origin current() {
    @Nullable Origin known = origin.get();
    return known == null ? Origin.NONE : known;
  }
}
