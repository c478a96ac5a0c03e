package io.penstock.server.grpc;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The way to every service from a connection: grpc-java in this process, which is asked without
 * knowing what the messages mean. Thread-safe.
 */
final class Bridge implements AutoCloseable {
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
          try (message) {
            return message.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final Server server;
  private final ManagedChannel channel;

  private Bridge(Server server, ManagedChannel channel) {
    this.server = server;
    this.channel = channel;
  }

  static Bridge to(
      List<BindableService> services, ServerInterceptor first, ScheduledExecutorService timer) {
    String name = InProcessServerBuilder.generateName();
    InProcessServerBuilder builder =
        InProcessServerBuilder.forName(name)
            .directExecutor()
            .scheduledExecutorService(timer)
            .intercept(first);
    services.forEach(builder::addService);
    return new Bridge(
        builder.build(),
        InProcessChannelBuilder.forName(name)
            .directExecutor()
            .scheduledExecutorService(timer)
            .disableRetry()
            .build());
  }

  void start() throws IOException {
    server.start();
  }

  /** A call of whatever method a client names. */
  Call call(Reply reply, Http2Headers headers, Messages messages) {
    CharSequence path = headers.path();
    if (path.length() < 2 || path.charAt(0) != '/') {
      throw Status.UNIMPLEMENTED
          .withDescription(":path: " + path + " (expected: /SERVICE/METHOD)")
          .asRuntimeException();
    }
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setType(MethodType.BIDI_STREAMING)
            .setFullMethodName(path.subSequence(1, path.length()).toString())
            .build();
    Deadline deadline = Head.deadline(headers);
    Metadata metadata = Fields.metadata(headers);
    ClientCall<byte[], byte[]> call =
        channel.newCall(method, CallOptions.DEFAULT.withDeadline(deadline));
    return BridgedCall.start(call, metadata, reply, messages);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
