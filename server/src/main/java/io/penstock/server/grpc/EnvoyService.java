package io.penstock.server.grpc;

import io.grpc.stub.StreamObserver;
import io.netty.handler.codec.http2.Http2Headers;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.penstock.server.Bounds;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Decisions;
import io.penstock.server.ops.Origin;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import org.jspecify.annotations.Nullable;

/** The rate limit service that Envoy asks. Thread-safe. */
final class EnvoyService extends RateLimitServiceImplBase {
  private final Node node;
  private final Decisions decisions;
  private final Callers callers;
  private final RlsQuestion question;

  EnvoyService(Node node, Decisions decisions, Bounds bounds, Callers callers) {
    this.node = node;
    this.decisions = decisions;
    this.callers = callers;
    this.question = new RlsQuestion(bounds);
  }

  @Override
  public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> call) {
    check(request, callers.current(), Origin.NONE, call);
  }

  /** What the fields of a call say about its trace, if anybody wants to know. */
  Origin origin(Http2Headers headers) {
    return decisions.areTraced() ? name -> text(headers.get(name)) : Origin.NONE;
  }

  private static @Nullable String text(@Nullable CharSequence value) {
    return value == null ? null : value.toString();
  }

  /** Answers a call of somebody who is known. */
  void check(
      RateLimitRequest request,
      Caller caller,
      Origin origin,
      StreamObserver<RateLimitResponse> call) {
    Calls.run(
        call,
        () -> {
          boolean mayRefund = caller.may(Role.ADMIN, request.getDomain());
          CheckRequest check = question.read(request, mayRefund);
          Callers.require(caller, Role.CHECK, check.domain());
          Asker<Answer> done = Calls.answering(call, answer -> RlsReply.of(request, answer));
          node.check(check, decisions.watch(check, origin, done));
        });
  }
}
