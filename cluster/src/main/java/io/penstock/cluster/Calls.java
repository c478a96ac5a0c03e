package io.penstock.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ConnectivityState;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/** Questions from node to node, over the port that Raft uses. Thread-safe. */
final class Calls implements AutoCloseable {
  /** Far above what a check may hold, far below what would harm. */
  private static final int BYTES_MAX = 16 << 20;

  private static final String SERVICE = "penstock.Peers";
  private static final Marshaller BYTES = new Marshaller();
  private static final MethodDescriptor<byte[], byte[]> ASK =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Ask"))
          .setRequestMarshaller(BYTES)
          .setResponseMarshaller(BYTES)
          .build();

  /** Answers what another node asks. Must not block. */
  @FunctionalInterface
  interface Desk {
    CompletionStage<byte[]> answer(byte[] question);
  }

  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();
  private final @Nullable SslContext tls;

  Calls(@Nullable PeerTls tls) {
    this.tls = tls == null ? null : tls.forCalls();
  }

  /** The service that answers; to be offered on the port of this node. */
  static ServerServiceDefinition service(Desk desk) {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            ASK,
            ServerCalls.asyncUnaryCall(
                (byte[] question, StreamObserver<byte[]> out) -> answer(desk, question, out)))
        .build();
  }

  private static void answer(Desk desk, byte[] question, StreamObserver<byte[]> out) {
    desk.answer(question)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                out.onError(
                    Status.UNAVAILABLE.withDescription(failure.getMessage()).asRuntimeException());
              } else {
                out.onNext(answer);
                out.onCompleted();
              }
            });
  }

  /** Asks a node; fails when it does not answer in time. */
  CompletionStage<byte[]> ask(Peer peer, byte[] question, Duration timeout) {
    ManagedChannel channel = channels.computeIfAbsent(peer.address(), to -> open(peer));
    if (channel.getState(/* requestConnection= */ true) == ConnectivityState.TRANSIENT_FAILURE) {
      /* It would wait for minutes by itself; a node that was restarted is there much sooner. */
      channel.resetConnectBackoff();
    }
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            ASK, CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)),
        question,
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] value) {
            answer.complete(value);
          }

          @Override
          public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {
            answer.completeExceptionally(new IOException(peer + ": no answer"));
          }
        });
    return answer;
  }

  private ManagedChannel open(Peer peer) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(peer.host(), peer.port())
            .directExecutor()
            .maxInboundMessageSize(BYTES_MAX);
    return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  private static final class Marshaller implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
