package io.penstock.server.grpc;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The way to every service from a connection: grpc-java in this process. Thread-safe.
 *
 * <p>It is asked with messages that have been read, and hands them to the service as they are: what
 * cannot be read is refused before it, for there it would count as a failure of the server.
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
  private final Map<String, MethodDescriptor<?, byte[]>> methods = new HashMap<>();

  private Bridge(Server server, ManagedChannel channel) {
    this.server = server;
    this.channel = channel;
    for (ServerServiceDefinition service : server.getServices()) {
      for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
        add(method.getMethodDescriptor());
      }
    }
  }

  private <Q> void add(MethodDescriptor<Q, ?> method) {
    methods.put(
        "/" + method.getFullMethodName(),
        method.toBuilder(method.getRequestMarshaller(), BYTES).build());
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
    MethodDescriptor<?, byte[]> method = methods.get(headers.path().toString());
    if (method == null) {
      throw Status.UNIMPLEMENTED
          .withDescription(":path: " + headers.path() + " (expected: a known /SERVICE/METHOD)")
          .asRuntimeException();
    }
    return call(method, reply, headers, messages);
  }

  private <Q> Call call(
      MethodDescriptor<Q, byte[]> method, Reply reply, Http2Headers headers, Messages messages) {
    Deadline deadline = Head.deadline(headers);
    Metadata metadata = Fields.metadata(headers);
    ClientCall<Q, byte[]> call =
        channel.newCall(method, CallOptions.DEFAULT.withDeadline(deadline));
    return new BridgedCall<>(method, call, reply, messages).start(metadata);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
