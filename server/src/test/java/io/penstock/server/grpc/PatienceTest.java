package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.server.Bounds;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must not last, where a connection may be silent for a second. */
class PatienceTest {
  private static final String[] GRPC = {"content-type", "application/grpc"};

  @TempDir Path folder;

  private LiveFront live;
  private RawHttp2 client;

  @BeforeEach
  void start() throws Exception {
    Bounds usual = Bounds.defaults();
    live =
        LiveFront.bounded(
            folder,
            new Bounds(
                usual.headBytes(),
                usual.bodyBytes(),
                usual.descriptors(),
                usual.entries(),
                usual.keyLength(),
                usual.valueLength(),
                usual.requestIdLength(),
                usual.checks(),
                usual.connections(),
                /* idleSeconds= */ 1,
                usual.pipelined()));
    client = new RawHttp2(live.front.port());
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    live.close();
  }

  @Test
  void connection_silentFromTheStart_isClosed() throws Exception {
    client.awaitClose();
  }

  @Test
  void connection_withoutCalls_isToldAndClosed() throws Exception {
    client.greet();
    client.await(frame -> frame.type() == RawHttp2.GO_AWAY);
    client.awaitClose();
  }

  /** The window of each stream is 0, and is never made larger. */
  @Test
  void answers_thatAreNeverTaken_endTheConnection() throws Exception {
    client.greet((byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
    client.post(1, RawHttp2.ENVOY, GRPC).message(1, request().toByteArray());
    for (RawHttp2.Frame frame = client.read(); frame != null; frame = client.read()) {
      assertThat(frame.type()).isNotEqualTo(RawHttp2.DATA);
    }
  }

  private static RateLimitRequest request() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    return request.build();
  }
}
