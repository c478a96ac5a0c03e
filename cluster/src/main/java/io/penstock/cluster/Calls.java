package io.penstock.cluster;

import io.penstock.core.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ConnectivityState;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallExecutorSupplier;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCallStreamObserver;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/** Questions from node to node, over the port that Raft uses. Thread-safe. */
final class Calls implements AutoCloseable {
  /** Far above what a check may hold, far below what would harm. */
  private static final int BYTES_MAX = 16 << 20;

  private static final long CLOSE_SECONDS_MAX = 1;
  private static final String SERVICE = "penstock.Peers";
  private static final Marshaller BYTES = new Marshaller();
  private static final MethodDescriptor<byte[], byte[]> ASK =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Ask"))
          .setRequestMarshaller(BYTES)
          .setResponseMarshaller(BYTES)
          .build();
  private static final MethodDescriptor<byte[], byte[]> TALK =
      ASK.toBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Talk"))
          .build();

  /** Answers what another node asks. Must not block. */
  @FunctionalInterface
  interface Desk {
    CompletionStage<byte[]> answer(byte[] question);
  }

  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private final Traffic traffic = new Traffic();
  private final EventLoopGroup loop =
      new NioEventLoopGroup(1, new DefaultThreadFactory("penstock-peers", /* daemon= */ true));
  private final Clock clock;
  private final @Nullable SslContext tls;

  Calls(Clock clock, @Nullable PeerTls tls) {
    this.clock = clock;
    this.tls = tls == null ? null : tls.forCalls();
  }

  Traffic traffic() {
    return traffic;
  }

  /** Offers on the port of this node what answers. */
  NettyServerBuilder offer(NettyServerBuilder server, Desk desk) {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(
                ASK,
                ServerCalls.asyncUnaryCall(
                    (byte[] question, StreamObserver<byte[]> out) -> answer(desk, question, out)))
            .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(out -> talk(desk, out)))
            .build();
    /* What a stream brings is answered where it is read: the desk does not block. */
    return server
        .addService(service)
        .callExecutor(
            new ServerCallExecutorSupplier() {
              @Override
              public <Q, A> @Nullable Executor getExecutor(ServerCall<Q, A> call, Metadata head) {
                boolean talks = call.getMethodDescriptor().equals(TALK);
                return talks ? Runnable::run : null;
              }
            });
  }

  private AnswerStream talk(Desk desk, StreamObserver<byte[]> out) {
    ServerCallStreamObserver<byte[]> stream = (ServerCallStreamObserver<byte[]>) out;
    Outbox outbox = new Outbox(stream, loop, clock, traffic.answers());
    stream.setOnReadyHandler(outbox::flush);
    /* Without one, sending to a node that is gone would throw. */
    stream.setOnCancelHandler(() -> {});
    return new AnswerStream(desk, outbox, stream);
  }

  private static void answer(Desk desk, byte[] question, StreamObserver<byte[]> out) {
    desk.answer(question)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                boolean isForeign = failure instanceof FormatException;
                Status why = isForeign ? Status.UNIMPLEMENTED : Status.UNAVAILABLE;
                out.onError(why.withDescription(failure.getMessage()).asRuntimeException());
              } else {
                out.onNext(answer);
                out.onCompleted();
              }
            });
  }

  /** Asks a node together with whatever else it is asked, over one stream (R20). */
  CompletionStage<byte[]> talk(Peer peer, byte[] question, Duration timeout) {
    return lines.computeIfAbsent(peer.address(), to -> line(peer)).ask(question, timeout);
  }

  private Line line(Peer peer) {
    return new Line(
        () -> {
          QuestionStream questions = new QuestionStream(loop, clock, traffic);
          ClientCalls.asyncBidiStreamingCall(
              channel(peer).newCall(TALK, CallOptions.DEFAULT), questions);
          return questions;
        },
        () -> channel(peer).enterIdle(),
        clock);
  }

  private ManagedChannel channel(Peer peer) {
    ManagedChannel channel = channels.computeIfAbsent(peer.address(), to -> open(peer));
    if (channel.getState(/* requestConnection= */ true) == ConnectivityState.TRANSIENT_FAILURE) {
      /* It would wait for minutes by itself; a node that was restarted is there much sooner. */
      channel.resetConnectBackoff();
    }
    return channel;
  }

  /** Asks a node by itself; fails when it does not answer in time. */
  CompletionStage<byte[]> ask(Peer peer, byte[] question, Duration timeout) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel(peer)
            .newCall(
                ASK,
                CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)),
        question,
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] value) {
            answer.complete(value);
          }

          @Override
          public void onError(Throwable failure) {
            answer.completeExceptionally(named(peer, failure));
          }

          @Override
          public void onCompleted() {
            answer.completeExceptionally(new IOException(peer + ": no answer"));
          }
        });
    return answer;
  }

  /** Why a node does not answer, if its operator can do something about it. */
  private static Throwable named(Peer peer, Throwable failure) {
    Status why = Status.fromThrowable(failure);
    if (why.getCode() == Status.Code.UNIMPLEMENTED) {
      return new FormatException(peer + ": " + why.getDescription());
    }
    DistrustException distrust = DistrustException.of(failure);
    return distrust == null ? failure : distrust;
  }

  private ManagedChannel open(Peer peer) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(peer.host(), peer.port())
            .directExecutor()
            .eventLoopGroup(loop)
            .channelType(NioSocketChannel.class)
            .maxInboundMessageSize(BYTES_MAX);
    return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
    var unused = loop.shutdownGracefully(/* quietPeriod= */ 0, CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
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
