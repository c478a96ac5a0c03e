package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Status;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.server.Bounds;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The frames of a call, as they may come from any client. */
class EnvoyCallTest {
  private static final int LIMIT = 1_000;
  private static final String TYPE = "content-type";
  private static final String GRPC = "application/grpc";

  @TempDir Path folder;

  private LiveFront live;
  private RawHttp2 raw;

  @BeforeEach
  void start() throws Exception {
    live = LiveFront.open(folder);
    live.put("api/user", "{\"limits\":[\"" + LIMIT + "/day\"]}");
    raw = new RawHttp2(live.front.port()).greet();
  }

  @AfterEach
  void stop() throws Exception {
    raw.close();
    live.close();
  }

  private static RateLimitRequest request() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    return request.build();
  }

  private static byte[] message() {
    return request().toByteArray();
  }

  private RateLimitServiceGrpc.RateLimitServiceBlockingStub envoy() {
    return RateLimitServiceGrpc.newBlockingStub(live.channel());
  }

  /** What is left when one more is taken. */
  private int remaining() {
    return envoy().shouldRateLimit(request()).getStatuses(0).getLimitRemaining();
  }

  /** Expects a call to end with this status, and to have consumed nothing. */
  private void expect(Status.Code code, String words) throws Exception {
    RawHttp2.Frame end = raw.end(1);
    assertThat(end.type()).isEqualTo(RawHttp2.HEADERS);
    assertThat(end.holds("grpc-status" + (char) (code.value() < 10 ? 1 : 2) + code.value()))
        .as(new String(end.content(), US_ASCII))
        .isTrue();
    assertThat(end.holds(words)).as(new String(end.content(), US_ASCII)).isTrue();
    assertThat(remaining()).isEqualTo(LIMIT - 1);
  }

  private static RateLimitResponse response(byte[] framed) throws Exception {
    return RateLimitResponse.parseFrom(Arrays.copyOfRange(framed, 5, framed.length));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8"})
  void call_ofSuchContent_isAnswered(String type) throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, type).message(1, message());
    RawHttp2.Frame answer = raw.await(frame -> frame.type() == RawHttp2.DATA);
    assertThat(response(answer.content()).getStatuses(0).getLimitRemaining()).isEqualTo(LIMIT - 1);
    assertThat(raw.end(1).type()).isEqualTo(RawHttp2.HEADERS);
  }

  @Test
  void message_inPiecesOfOneByte_isAnswered() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC);
    for (byte each : RawHttp2.framed(message())) {
      raw.send(RawHttp2.DATA, 0, 1, each);
    }
    raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1);
    assertThat(raw.await(frame -> frame.type() == RawHttp2.DATA).streamId()).isEqualTo(1);
    assertThat(remaining()).isEqualTo(LIMIT - 2);
  }

  @Test
  void message_behindWhichTrailersCome_isAnswered() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC);
    raw.send(RawHttp2.DATA, 0, 1, RawHttp2.framed(message()));
    byte[] trailers = {0, 1, 'x', 1, 'y'};
    raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, trailers);
    assertThat(raw.await(frame -> frame.type() == RawHttp2.DATA).streamId()).isEqualTo(1);
  }

  /** A window of three bytes, and three more as soon as they are used. */
  @Test
  void answer_toASmallWindow_comesInPieces() throws Exception {
    raw.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 3);
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC).message(1, message());
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    List<Integer> types = new ArrayList<>();
    for (int flags = 0; (flags & RawHttp2.END_STREAM) == 0; ) {
      RawHttp2.Frame frame = raw.await(each -> each.streamId() == 1);
      types.add(frame.type());
      flags = frame.flags();
      if (frame.type() == RawHttp2.DATA) {
        assertThat(frame.content()).hasSizeLessThanOrEqualTo(3);
        answer.writeBytes(frame.content());
        raw.send(RawHttp2.WINDOW_UPDATE, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 3);
      }
    }
    assertThat(types).startsWith(RawHttp2.HEADERS, RawHttp2.DATA).endsWith(RawHttp2.HEADERS);
    assertThat(response(answer.toByteArray()).getStatuses(0).getLimitRemaining())
        .isEqualTo(LIMIT - 1);
  }

  /** Who makes its table smaller must be told that this is understood, in the next fields. */
  @Test
  void answer_toNewSettingsOfTheTable_confirmsThem() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC).message(1, message());
    raw.end(1);
    raw.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 1, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
    raw.post(3, RawHttp2.ENVOY, TYPE, GRPC).message(3, message());
    RawHttp2.Frame fields = raw.await(frame -> frame.streamId() == 3);
    assertThat(fields.content()[0]).isEqualTo((byte) 0x20);
    raw.post(5, RawHttp2.ENVOY, TYPE, GRPC).message(5, message());
    assertThat(raw.await(frame -> frame.streamId() == 5).content()[0]).isEqualTo((byte) 0x88);
  }

  @Test
  void message_cutShort_isRefused() throws Exception {
    byte[] framed = RawHttp2.framed(message());
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC);
    raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, Arrays.copyOf(framed, framed.length - 1));
    expect(Status.Code.INVALID_ARGUMENT, "message: cut short (expected: a whole one)");
  }

  @Test
  void message_missing_isRefused() throws Exception {
    raw.send(
        RawHttp2.HEADERS,
        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
        1,
        RawHttp2.head("POST", RawHttp2.ENVOY, TYPE, GRPC));
    expect(Status.Code.INVALID_ARGUMENT, "messages: 0 (expected: 1)");
  }

  @Test
  void messages_two_areRefused() throws Exception {
    byte[] framed = RawHttp2.framed(message());
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC).send(RawHttp2.DATA, 0, 1, framed);
    raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, framed);
    expect(Status.Code.INVALID_ARGUMENT, "messages: more than 1 (expected: 1)");
  }

  @Test
  void message_ofAnotherKind_isRefused() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC).message(1, new byte[] {7, 7, 7});
    expect(Status.Code.INVALID_ARGUMENT, "(expected: a RateLimitRequest)");
  }

  @Test
  void message_compressedWithoutSayingHow_isRefused() throws Exception {
    byte[] framed = RawHttp2.framed(message());
    framed[0] = 1;
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC);
    raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, framed);
    expect(Status.Code.INTERNAL, "flag: 1 (expected: 0)");
  }

  @Test
  void message_compressed_isAnswered() {
    assertThat(envoy().withCompression("gzip").shouldRateLimit(request()).getStatusesCount())
        .isEqualTo(1);
  }

  @Test
  void message_thatInflatesBeyondTheBound_isRefused() throws Exception {
    ByteArrayOutputStream small = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(small)) {
      out.write(new byte[Bounds.defaults().bodyBytes() + 1]);
    }
    byte[] framed = RawHttp2.framed(small.toByteArray());
    framed[0] = 1;
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC, "grpc-encoding", "gzip");
    raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, framed);
    expect(Status.Code.RESOURCE_EXHAUSTED, "message: more bytes (expected: <= 1048576)");
  }

  @Test
  void encoding_unknown_isRefusedAndTheKnownOnesAreNamed() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC, "grpc-encoding", "zstd").message(1, message());
    RawHttp2.Frame end = raw.end(1);
    assertThat(end.holds("grpc-accept-encoding\ridentity,gzip")).isTrue();
    assertThat(end.holds("grpc-encoding: zstd (expected: identity, gzip)")).isTrue();
    assertThat(remaining()).isEqualTo(LIMIT - 1);
  }

  @Test
  void deadline_over_isToldAndNothingConsumed() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC, "grpc-timeout", "0n").message(1, message());
    expect(Status.Code.DEADLINE_EXCEEDED, "grpc-timeout: over (expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "S", "5", "123456789S", "-1S", "1x"})
  void deadline_malformed_isRefused(String timeout) throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC, "grpc-timeout", timeout).message(1, message());
    expect(Status.Code.INTERNAL, "grpc-timeout: " + timeout + " (expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"20m", "99999999H", "1M", "30S", "99999999u", "99999999n"})
  void deadline_toCome_isNoReasonToRefuse(String timeout) throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC, "grpc-timeout", timeout).message(1, message());
    assertThat(raw.await(frame -> frame.streamId() == 1).holds("application/grpc")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "GET, application/grpc, 405",
    "POST, application/json, 415",
    "POST, application/grpcs, 415",
    "POST, application/grpc+json, 415",
    "POST, application/grpc+protos, 415"
  })
  void request_thatIsNoGrpc_isRefusedInTheWordsOfHttp(String method, String type, String status)
      throws Exception {
    byte[] head = RawHttp2.head(method, RawHttp2.ENVOY, TYPE, type);
    raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head).message(1, message());
    assertThat(raw.end(1).holds(status)).isTrue();
    assertThat(remaining()).isEqualTo(LIMIT - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/grpc+proto", "application/grpc;a=b", "application/grpc+proto;a=b"})
  void request_ofProtobuf_isAnsweredHoweverItsTypeIsWritten(String type) throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, type).message(1, message());
    assertThat(raw.await(frame -> frame.streamId() == 1).holds("application/grpc")).isTrue();
  }

  @Test
  void refusal_beforeTheClientHasFinished_tellsItToStop() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, "text/plain");
    assertThat(raw.end(1).type()).isEqualTo(RawHttp2.HEADERS);
    RawHttp2.Frame reset = raw.end(1);
    assertThat(reset.type()).isEqualTo(RawHttp2.RESET);
    assertThat(reset.content()).containsExactly(0, 0, 0, 0);
  }

  @Test
  void call_cancelledBeforeItsMessage_consumesNothing() throws Exception {
    raw.post(1, RawHttp2.ENVOY, TYPE, GRPC);
    raw.send(RawHttp2.RESET, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
    raw.post(3, RawHttp2.ENVOY, TYPE, GRPC).message(3, message());
    raw.end(3);
    assertThat(remaining()).isEqualTo(LIMIT - 2);
  }

  @Test
  void calls_underStrictPolicy_areAllAnsweredWithTheirOwn() throws Exception {
    live.put("api/user", "{\"limits\":[\"1000/day\"],\"consistency\":\"strict\"}");
    RateLimitServiceGrpc.RateLimitServiceFutureStub stub =
        RateLimitServiceGrpc.newFutureStub(live.channel());
    List<ListenableFuture<RateLimitResponse>> calls = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      RateLimitRequest.Builder request = request().toBuilder().setHitsAddend(i);
      request.getDescriptorsBuilder(0).getEntriesBuilder(0).setValue("user-" + i);
      calls.add(stub.shouldRateLimit(request.build()));
    }
    for (int i = 1; i <= 200; i++) {
      RateLimitResponse answer = calls.get(i - 1).get(20, TimeUnit.SECONDS);
      assertThat(answer.getStatuses(0).getLimitRemaining()).isEqualTo(LIMIT - i);
    }
  }
}
