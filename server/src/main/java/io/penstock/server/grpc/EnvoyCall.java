package io.penstock.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.server.ops.Origin;
import io.penstock.server.security.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A call of Envoy's rate limit service, which is most of what is ever called: one message in, one
 * out, and nothing between the frames and the service.
 *
 * <p>Confined to the event loop of its connection, except for the answer, which may come on the
 * thread of the journal.
 */
final class EnvoyCall implements Call, StreamObserver<RateLimitResponse> {
  private final Reply reply;
  private final EnvoyService service;
  private final Caller caller;
  private final Origin origin;
  private final @Nullable Deadline deadline;
  private final Messages messages;

  /** Written before the event loop is asked to send it. */
  private @Nullable RateLimitResponse answer;

  EnvoyCall(
      Reply reply, EnvoyService service, Caller caller, Http2Headers headers, Messages messages) {
    this.reply = reply;
    this.service = service;
    this.caller = caller;
    this.origin = service.origin(headers);
    this.deadline = Head.deadline(headers);
    this.messages = messages;
  }

  @Override
  public int read(ByteBuf data, boolean isLast) {
    int length = data.readableBytes();
    if (reply.hasEnded()) {
      return length;
    }
    try {
      messages.add(data);
      if (isLast) {
        service.check(request(), caller, origin, this);
      }
    } catch (StatusRuntimeException e) {
      reply.end(e.getStatus(), new Metadata());
    }
    return length;
  }

  private RateLimitRequest request() {
    byte[] message = messages.only();
    if (deadline != null && deadline.isExpired()) {
      throw Calls.TOO_LATE.asRuntimeException();
    }
    try {
      return RateLimitRequest.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      return withForeignBytes(message);
    }
  }

  private static RateLimitRequest withForeignBytes(byte[] message) {
    try {
      return ForeignBytes.read(message);
    } catch (InvalidProtocolBufferException e) {
      throw Messages.unreadable(message, RateLimitRequest.class);
    }
  }

  @Override
  public void closed() {
    reply.abandon();
  }

  @Override
  public void onNext(RateLimitResponse response) {
    answer = response;
  }

  @Override
  public void onCompleted() {
    reply.connection().run(this::write);
  }

  private void write() {
    if (answer != null) {
      reply.answer(Messages.framed(answer));
    }
  }

  @Override
  public void onError(Throwable cause) {
    Status status = Status.fromThrowable(cause);
    reply.connection().run(() -> reply.end(status, Calls.trailers(cause)));
  }
}
