package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.penstock.testkit.LogLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with messages is told in the same words by every service, and never logged. */
class RefusedMessagesTest {
  private static final String RLS = "envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final String CHECK = "penstock.v1.Penstock/Check";
  private static final String WATCH = "grpc.health.v1.Health/Watch";
  private static final byte[] BROKEN = {7, 7, 7};

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
          try {
            return message.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  @TempDir Path folder;

  private LiveFront live;
  private LogLines log;

  @BeforeEach
  void start() throws Exception {
    live = LiveFront.open(folder);
    log = new LogLines(/* name= */ "", Level.CONFIG);
  }

  @AfterEach
  void stop() {
    log.close();
    live.close();
  }

  /** How a call ends with so many messages. */
  private Status ended(String method, byte[]... messages) throws Exception {
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call =
        live.channel()
            .newCall(
                MethodDescriptor.newBuilder(BYTES, BYTES)
                    .setType(MethodType.BIDI_STREAMING)
                    .setFullMethodName(method)
                    .build(),
                CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    for (byte[] message : messages) {
      call.sendMessage(message);
    }
    call.halfClose();
    return end.get(20, TimeUnit.SECONDS);
  }

  private void expect(Status status, Status.Code code, String words) {
    assertThat(status.getCode()).isEqualTo(code);
    assertThat(status.getDescription()).isEqualTo(words);
    assertThat(log.lines()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    RLS + ",RateLimitRequest",
    CHECK + ",CheckRequest",
    "penstock.v1.Penstock/PutPolicy,PutPolicyRequest",
    WATCH + ",HealthCheckRequest",
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo,ServerReflectionRequest"
  })
  void message_ofAnotherKind_isRefusedWithItsType(String method, String type) throws Exception {
    expect(
        ended(method, BROKEN),
        Status.Code.INVALID_ARGUMENT,
        "message: 3 unreadable bytes (expected: a " + type + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {RLS, CHECK})
  void text_thatIsNoUtf8_isRefused(String method) throws Exception {
    byte[] domain = {10, 1, (byte) 0xFF};
    assertThat(ended(method, domain).getDescription()).startsWith("message: 3 unreadable bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {RLS, CHECK, WATCH})
  void messages_noneOrTwo_areRefused(String method) throws Exception {
    byte[] empty = {};
    expect(ended(method), Status.Code.INVALID_ARGUMENT, "messages: 0 (expected: 1)");
    expect(
        ended(method, empty, empty),
        Status.Code.INVALID_ARGUMENT,
        "messages: more than 1 (expected: 1)");
  }

  private String rawEnd(String method, byte[] data, String... fields) throws Exception {
    try (RawHttp2 raw = new RawHttp2(live.front.port()).greet()) {
      raw.post(1, "/" + method, fields).send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, data);
      return new String(raw.end(1).content(), ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {RLS, CHECK, WATCH})
  void message_cutShort_isRefused(String method) throws Exception {
    byte[] framed = RawHttp2.framed("\n\003api".getBytes(UTF_8));
    byte[] part = Arrays.copyOf(framed, framed.length - 1);
    assertThat(rawEnd(method, part, "content-type", "application/grpc"))
        .contains("grpc-status\u00013", "message: cut short (expected: a whole one)");
    assertThat(log.lines()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {RLS, CHECK, WATCH})
  void deadline_over_isToldInOurWords(String method) throws Exception {
    byte[] framed = RawHttp2.framed(new byte[0]);
    assertThat(rawEnd(method, framed, "content-type", "application/grpc", "grpc-timeout", "0n"))
        .contains(
            "grpc-status\u00014", "grpc-timeout: over (expected: longer than the answer takes)");
    assertThat(log.lines()).isEmpty();
  }
}
