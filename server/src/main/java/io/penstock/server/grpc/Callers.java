package io.penstock.server.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.netty.handler.codec.http2.Http2Headers;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.Role;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells who is calling, from the metadata of a call, and turns away whom nobody knows. Thread-safe.
 *
 * <p>Health is open to all: those who ask for it have no credentials.
 */
final class Callers implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> API_KEY =
      Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

  private static final Status UNKNOWN =
      Status.UNAUTHENTICATED.withDescription(
          "expected: one bearer token in authorization, or one key in x-api-key");

  private final Gatekeeper gatekeeper;
  private final Context.Key<Caller> caller = Context.key("caller");

  Callers(Gatekeeper gatekeeper) {
    this.gatekeeper = gatekeeper;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (gatekeeper.isOpen() || isHealth(call)) {
      return next.startCall(call, headers);
    }
    Caller known = find(all(headers, AUTHORIZATION), all(headers, API_KEY));
    if (known == null) {
      call.close(UNKNOWN, new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return Contexts.interceptCall(Context.current().withValue(caller, known), call, headers, next);
  }

  /** Who makes a call with these fields; if nobody knows, the call ends. */
  Caller known(Http2Headers headers) {
    if (gatekeeper.isOpen()) {
      return gatekeeper.anonymous();
    }
    Caller known = find(headers.getAll(AUTHORIZATION.name()), headers.getAll(API_KEY.name()));
    if (known == null) {
      throw UNKNOWN.asRuntimeException();
    }
    return known;
  }

  private static List<String> all(Metadata headers, Metadata.Key<String> key) {
    List<String> all = new ArrayList<>(1);
    Iterable<String> values = headers.getAll(key);
    if (values != null) {
      values.forEach(all::add);
    }
    return all;
  }

  /** Nobody is known by two keys: a proxy before this server may have looked at the other one. */
  private @Nullable Caller find(
      List<? extends CharSequence> tokens, List<? extends CharSequence> keys) {
    return tokens.size() > 1 || keys.size() > 1
        ? null
        : gatekeeper.byHeader(only(tokens), only(keys));
  }

  private static @Nullable String only(List<? extends CharSequence> values) {
    return values.isEmpty() ? null : values.get(0).toString();
  }

  private static boolean isHealth(ServerCall<?, ?> call) {
    return HealthGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName());
  }

  /** Who makes the call that runs on this thread. */
  Caller current() {
    @Nullable Caller known = caller.get();
    return known == null ? gatekeeper.anonymous() : known;
  }

  /** Who makes the call, if they have a role in a domain; else the call ends. */
  Caller require(Role role, String domain) {
    return require(current(), role, domain);
  }

  /** Who makes the call, if they have a role in any domain; else the call ends. */
  Caller requireSomewhere(Role role) {
    Caller caller = current();
    if (!caller.maySomewhere(role)) {
      String missing = "domain: none (expected: one in which you are " + role.text() + ")";
      throw Status.PERMISSION_DENIED.withDescription(missing).asRuntimeException();
    }
    return caller;
  }

  /** Somebody, if they have a role in a domain; else the call ends. */
  static Caller require(Caller caller, Role role, String domain) {
    if (!caller.may(role, domain)) {
      String missing = "domain: " + domain + " (expected: one in which you are " + role.text();
      throw Status.PERMISSION_DENIED.withDescription(missing + ")").asRuntimeException();
    }
    return caller;
  }
}
