package io.penstock.server.grpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BridgeTest {
  private static final String[] GRPC = {"content-type", "application/grpc"};
  private static final String[] SOON = {"content-type", "application/grpc", "grpc-timeout", "50m"};
  private static final Metadata.Key<String> TEXT =
      Metadata.Key.of("x-text", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir Path folder;

  private final Parrot parrot = new Parrot();
  private LiveBridge live;

  @BeforeEach
  void start() throws Exception {
    live = new LiveBridge(folder, parrot);
  }

  @AfterEach
  void stop() {
    live.close();
  }

  private CompletableFuture<List<String>> echoed(List<String> messages, Metadata headers) {
    CompletableFuture<List<String>> done = new CompletableFuture<>();
    List<String> answers = Collections.synchronizedList(new ArrayList<>());
    ClientCall<String, String> call =
        ClientInterceptors.intercept(
                live.channel, MetadataUtils.newAttachHeadersInterceptor(headers))
            .newCall(Parrot.method("Echo"), CallOptions.DEFAULT);
    StreamObserver<String> out =
        ClientCalls.asyncBidiStreamingCall(
            call,
            new StreamObserver<>() {
              @Override
              public void onNext(String answer) {
                answers.add(answer);
              }

              @Override
              public void onError(Throwable cause) {
                done.completeExceptionally(cause);
              }

              @Override
              public void onCompleted() {
                done.complete(answers);
              }
            });
    messages.forEach(out::onNext);
    out.onCompleted();
    return done;
  }

  /** Many times more than fits into any window. */
  @Test
  void messages_many_comeBackInOrder() throws Exception {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      messages.add(i + "-" + "x".repeat(i));
    }
    assertThat(echoed(messages, new Metadata()).get(30, TimeUnit.SECONDS)).isEqualTo(messages);
  }

  @Test
  void metadata_textAndBytes_goBothWays() throws Exception {
    Metadata sent = new Metadata();
    sent.put(TEXT, "one");
    sent.put(TEXT, "two");
    sent.put(Parrot.BYTES, new byte[] {0, -1, 127});
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    ClientCall<String, String> call =
        ClientInterceptors.intercept(
                live.channel,
                MetadataUtils.newAttachHeadersInterceptor(sent),
                MetadataUtils.newCaptureMetadataInterceptor(headers, trailers))
            .newCall(Parrot.method("Echo"), CallOptions.DEFAULT);
    assertThat(ClientCalls.blockingServerStreamingCall(call, "hello").next()).isEqualTo("hello");
    await(() -> trailers.get() != null);
    assertThat(requireNonNull(headers.get()).getAll(TEXT)).containsExactly("one", "two");
    assertThat(requireNonNull(headers.get()).get(Parrot.BYTES)).containsExactly(0, -1, 127);
    assertThat(requireNonNull(trailers.get()).get(Parrot.BYTES)).containsExactly(-1, 0, 1);
  }

  @Test
  void failure_inAnyWords_isToldAsItIs() {
    assertThatThrownBy(() -> echoed(List.of("fail"), new Metadata()).get(20, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("DATA_LOSS: 100 %\nverloren: Äpfel");
  }

  @Test
  void method_unknown_isUnimplemented() {
    MethodDescriptor<String, String> unknown =
        Parrot.method("Echo").toBuilder().setFullMethodName("test.Parrot/Nothing").build();
    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    live.channel.newCall(unknown, CallOptions.DEFAULT), "x"))
        .hasMessageContaining("UNIMPLEMENTED");
  }

  @Test
  void message_cutShort_isRefused() throws Exception {
    try (RawHttp2 raw = live.raw()) {
      raw.post(1, "/test.Parrot/Echo", GRPC);
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) 0, (byte) 0, (byte) 0);
      assertThat(raw.end(1).holds("message: cut short (expected: a whole one)")).isTrue();
    }
    await(() -> parrot.open.get() == 0);
  }

  @Test
  void metadata_thatIsNoBase64_isRefused() throws Exception {
    try (RawHttp2 raw = live.raw()) {
      raw.post(1, "/test.Parrot/Echo", "content-type", "application/grpc", "x-bytes-bin", "*");
      assertThat(raw.end(1).holds("x-bytes-bin: not what it is named (expected: base64)")).isTrue();
    }
  }

  @Test
  void path_thatNamesNoMethod_isUnimplemented() throws Exception {
    try (RawHttp2 raw = live.raw()) {
      raw.post(1, "/", GRPC);
      assertThat(raw.end(1).holds(":path: / (expected: a known /SERVICE/METHOD)")).isTrue();
    }
  }

  @Test
  void deadline_thatPasses_endsTheCall() throws Exception {
    try (RawHttp2 raw = live.raw()) {
      raw.post(1, "/test.Parrot/Silence", SOON);
      RawHttp2.Frame end = raw.end(1);
      assertThat(end.holds("grpc-status\u00014")).isTrue();
      assertThat(end.holds("grpc-timeout: over (expected: longer than the answer")).isTrue();
    }
    await(() -> parrot.open.get() == 0);
  }

  /** Windows are never made larger, so what comes is what fits into the first one. */
  @Test
  void answers_thatAreNotTaken_areNotProduced() throws Exception {
    try (RawHttp2 raw = live.raw()) {
      raw.post(1, "/test.Parrot/Storm", GRPC);
      for (int left = Messages.WINDOW; left > 0; ) {
        left -= raw.await(frame -> frame.type() == RawHttp2.DATA).content().length;
      }
      assertThat(parrot.produced.get()).isBetween(65, Parrot.STORM / 100);
    }
    await(() -> parrot.open.get() == 0);
  }

  /** The answer to a ping comes behind everything that was sent before. */
  @Test
  void messages_thatAreNotTaken_areNotAskedFor() throws Exception {
    try (RawHttp2 raw = live.raw()) {
      raw.post(1, "/test.Parrot/Silence", GRPC);
      for (int i = 0; i < 60; i++) {
        raw.send(RawHttp2.DATA, 0, 1, RawHttp2.framed(new byte[995]));
      }
      raw.send(RawHttp2.PING, 0, 0, new byte[8]);
      RawHttp2.Frame next =
          raw.await(
              frame ->
                  frame.type() == RawHttp2.PING
                      || (frame.type() == RawHttp2.WINDOW_UPDATE && frame.streamId() == 1));
      assertThat(next.type()).isEqualTo(RawHttp2.PING);
    }
  }

  @Test
  void calls_abortedInMasses_areAllCancelled() throws Exception {
    for (int round = 0; round < 20; round++) {
      try (RawHttp2 raw = live.raw()) {
        for (int i = 0; i < 100; i++) {
          raw.post(2 * i + 1, "/test.Parrot/Silence", GRPC);
          raw.send(RawHttp2.DATA, 0, 2 * i + 1, RawHttp2.framed(new byte[100]));
          if (i % 2 == 0) {
            raw.send(RawHttp2.RESET, 0, 2 * i + 1, new byte[4]);
          }
        }
        raw.send(RawHttp2.PING, 0, 0, new byte[8]);
        raw.await(frame -> frame.type() == RawHttp2.PING);
        assertThat(parrot.open.get()).isGreaterThanOrEqualTo(50);
      }
    }
    await(() -> parrot.open.get() == 0);
  }

  private static void await(BooleanSupplier condition) {
    for (int attempt = 0; !condition.getAsBoolean(); attempt++) {
      assertThat(attempt).as("attempts").isLessThan(2_000);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
