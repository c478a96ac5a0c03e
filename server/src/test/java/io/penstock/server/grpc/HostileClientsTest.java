package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.server.Bounds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client may try: its connection ends, and the others go on. */
class HostileClientsTest {
  private static final String[] GRPC = {"content-type", "application/grpc"};
  private static final int STREAMS = Bounds.defaults().pipelined();

  @TempDir Path folder;

  private LiveFront live;
  private RawHttp2 hostile;

  @BeforeEach
  void start() throws Exception {
    live = LiveFront.open(folder);
    hostile = new RawHttp2(live.front.port());
  }

  @AfterEach
  void stop() throws Exception {
    hostile.close();
    assertThat(
            RateLimitServiceGrpc.newBlockingStub(live.channel())
                .shouldRateLimit(request())
                .getOverallCode())
        .isEqualTo(Code.OK);
    live.close();
  }

  private static RateLimitRequest request() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    return request.build();
  }

  @Test
  void resets_inMasses_endTheConnection() throws Exception {
    hostile.greet();
    hostile.flood(
        number -> {
          int streamId = 2 * number + 1;
          hostile.post(streamId, RawHttp2.ENVOY, GRPC);
          hostile.send(RawHttp2.RESET, 0, streamId, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
        });
  }

  @Test
  void pings_inMasses_endTheConnection() throws Exception {
    hostile.greet();
    hostile.flood(number -> hostile.send(RawHttp2.PING, 0, 0, new byte[8]));
  }

  @Test
  void settings_inMasses_endTheConnection() throws Exception {
    hostile.greet();
    hostile.flood(number -> hostile.send(RawHttp2.SETTINGS, 0, 0));
  }

  @Test
  void priorities_inMasses_endTheConnection() throws Exception {
    hostile.greet().post(1, RawHttp2.ENVOY, GRPC);
    hostile.flood(
        number -> hostile.send(RawHttp2.PRIORITY, 0, 1, ByteBuffer.allocate(5).putInt(3).array()));
  }

  @Test
  void unknownFrames_inMasses_endTheConnection() throws Exception {
    hostile.greet();
    hostile.flood(number -> hostile.send(/* type= */ 0x77, 0, 0));
  }

  @Test
  void emptyFrames_inMasses_endTheConnection() throws Exception {
    hostile.greet().post(1, RawHttp2.ENVOY, GRPC);
    hostile.flood(number -> hostile.send(RawHttp2.DATA, 0, 1));
  }

  @Test
  void headerFields_withoutEnd_endTheConnection() throws Exception {
    hostile.greet();
    byte[] block = RawHttp2.head("POST", RawHttp2.ENVOY, "x-many", "x".repeat(100));
    hostile.send(RawHttp2.HEADERS, 0, 1, block);
    byte[] more = Arrays.copyOfRange(block, block.length - 109, block.length);
    hostile.flood(number -> hostile.send(RawHttp2.CONTINUATION, 0, 1, more));
  }

  @Test
  void continuations_thatHoldNothing_endTheConnection() throws Exception {
    hostile.greet();
    hostile.send(RawHttp2.HEADERS, 0, 1, RawHttp2.head("POST", RawHttp2.ENVOY, GRPC));
    hostile.flood(number -> hostile.send(RawHttp2.CONTINUATION, 0, 1));
  }

  @Test
  void fields_withoutPath_resetTheirStream() throws Exception {
    hostile.greet();
    byte[] block = {(byte) 0x83, (byte) 0x86};
    hostile.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, block);
    RawHttp2.Frame reset = hostile.end(1);
    assertThat(reset.type()).isEqualTo(RawHttp2.RESET);
    assertThat(reset.content()).containsExactly(0, 0, 0, 1);
  }

  @Test
  void metadata_tooLarge_isToldAsAStatusAndTheConnectionLives() throws Exception {
    List<String> fields = new ArrayList<>(List.of(GRPC));
    for (int i = 0; i < 500; i++) {
      fields.addAll(List.of("x-a", ""));
    }
    hostile.greet().post(1, RawHttp2.ENVOY, fields.toArray(String[]::new));
    RawHttp2.Frame told = hostile.end(1);
    assertThat(told.type()).isEqualTo(RawHttp2.HEADERS);
    assertThat(told.holds("grpc-status\u00018")).as("RESOURCE_EXHAUSTED").isTrue();
    assertThat(told.holds("metadata: too large (expected: at most 16384 bytes)")).isTrue();
    RawHttp2.Frame reset = hostile.end(1);
    assertThat(reset.type()).isEqualTo(RawHttp2.RESET);
    assertThat(reset.content()).containsExactly(0, 0, 0, 0);

    hostile.post(3, RawHttp2.ENVOY, GRPC).message(3, request().toByteArray());
    assertThat(hostile.end(3).holds("grpc-status\u00010")).isTrue();
  }

  @Test
  void streams_tooManyAtOnce_areRefusedAlsoIfTheBoundIsNotConfirmed() throws Exception {
    hostile.greet();
    for (int i = 0; i <= STREAMS; i++) {
      hostile.post(2 * i + 1, RawHttp2.ENVOY, GRPC);
    }
    RawHttp2.Frame refused = hostile.await(frame -> frame.type() == RawHttp2.RESET);
    assertThat(refused.streamId()).isEqualTo(2 * STREAMS + 1);
    assertThat(refused.content()).containsExactly(0, 0, 0, 7);
  }

  /** Answers wait for room; half of their calls are given up before there is some. */
  @Test
  void calls_resetWhileTheirAnswersWait_leaveTheOthersAlone() throws Exception {
    byte[] window = {0, 4, 0, 0, 0, 0};
    hostile.greet(window);
    for (int streamId = 1; streamId < 400; streamId += 2) {
      hostile.post(streamId, RawHttp2.ENVOY, GRPC).message(streamId, request().toByteArray());
    }
    for (int streamId = 1; streamId < 400; streamId += 4) {
      hostile.send(RawHttp2.RESET, 0, streamId, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
    }
    window[4] = 1;
    hostile.send(RawHttp2.SETTINGS, 0, 0, window);
    Set<Integer> answered = new HashSet<>();
    while (answered.size() < 100) {
      RawHttp2.Frame data = hostile.await(frame -> frame.type() == RawHttp2.DATA);
      answered.add(data.streamId());
    }
    assertThat(answered).allMatch(streamId -> streamId % 4 == 3);
    hostile.post(401, RawHttp2.ENVOY, GRPC).message(401, request().toByteArray());
    assertThat(hostile.end(401).type()).isEqualTo(RawHttp2.HEADERS);
  }

  @Test
  void message_thatSaysItIsTooLarge_isRefusedBeforeItComes() throws Exception {
    hostile.greet().post(1, RawHttp2.ENVOY, GRPC);
    hostile.send(RawHttp2.DATA, 0, 1, (byte) 0, (byte) 0, (byte) 0x10, (byte) 0, (byte) 1);
    RawHttp2.Frame end = hostile.end(1);
    assertThat(end.holds("8")).isTrue();
    assertThat(end.holds("1048577 bytes")).isTrue();
  }
}
