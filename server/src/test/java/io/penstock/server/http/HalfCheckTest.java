package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.LAST;
import static io.penstock.server.http.RawSocket.statuses;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.penstock.server.Bounds;
import io.penstock.server.security.Gatekeeper;
import io.vertx.core.http.Http1ServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The beginning of a check waits for its rest, and neither goes the long way nor for ever. */
class HalfCheckTest {
  private static final String GET = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final Pattern SEEN =
      Pattern.compile("\"allowed\":true,\"remaining\":(\\d+),\"limit\":100,");

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
    rig.policy("api/strict", "{\"limits\":[\"9000/hour\"],\"consistency\":\"strict\"}");
    rig.policy("api/seen", "{\"limits\":[\"100/hour\"],\"consistency\":\"none\"}");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  /** A check that waits for the disk, and that can be seen to be decided before. */
  private static String check(String value, String fields) {
    String body =
        """
        {"domain":"api","descriptors":[[{"key":"strict","value":"42"}],\
        [{"key":"seen","value":"%s"}]]}"""
            .formatted(value);
    return request(fields, body);
  }

  private static String request(String fields, String body) {
    return "POST /v1/check HTTP/1.1\r\nHost: a\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(fields, body.length(), body);
  }

  private RawSocket open() throws Exception {
    return new RawSocket(rig.front.port());
  }

  private int used(String key, String value, int limit) throws Exception {
    return limit - rig.check(key, value, /* cost= */ 0).get("remaining").asInt();
  }

  /** The answers of the library to all but the first would wait for the first. */
  @Test
  void checks_cutAtEveryByte_areAllDecidedBeforeTheFirstIsDurable() throws Exception {
    int length = check("v1000", "").length();
    List<RawSocket> sockets = new ArrayList<>();
    CountDownLatch disk = rig.holdDisk();
    try {
      for (int cut = 1; cut < length; cut++) {
        String value = "v" + (1000 + cut);
        String check = check(value, "");
        RawSocket socket = open();
        sockets.add(socket);
        socket.send(check + check.substring(0, cut));
        rig.awaitUsed("seen", value, 1);
        socket.send(check.substring(cut) + check);
        rig.awaitUsed("seen", value, 3);
      }
      disk.countDown();
      for (RawSocket socket : sockets) {
        String answers = socket.send(LAST).readToEnd();
        assertThat(statuses(answers)).containsExactly(200, 200, 200, 404);
        assertThat(remaining(answers)).containsExactly(99, 98, 97);
      }
    } finally {
      disk.countDown();
      for (RawSocket socket : sockets) {
        socket.close();
      }
    }
    assertThat(used("strict", "42", 9000)).isEqualTo(3 * (length - 1));
  }

  private static List<Integer> remaining(String answers) {
    return SEEN.matcher(answers)
        .results()
        .map(match -> Integer.valueOf(match.group(1)))
        .distinct()
        .toList();
  }

  @Test
  void checks_behindSomethingElse_areAllDecidedBeforeTheFirstIsDurable() throws Exception {
    String check = check("42", "");
    CountDownLatch disk = rig.holdDisk();
    try (RawSocket socket = open()) {
      socket.send(GET + check.repeat(3) + check.substring(0, 40));
      rig.awaitUsed("seen", "42", 3);
      socket.send(check.substring(40) + GET);
      rig.awaitUsed("seen", "42", 4);
      disk.countDown();

      String answers = socket.send(LAST).readToEnd();
      assertThat(statuses(answers)).containsExactly(200, 200, 200, 200, 200, 200, 404);
      assertThat(remaining(answers)).containsExactly(99, 98, 97, 96);
    } finally {
      disk.countDown();
    }
  }

  @Test
  void checks_byteByByteAmongOthers_areAnsweredInOrder() throws Exception {
    String text = check("42", "") + GET + check("42", "Upgrade: no\r\n") + check("42", "") + LAST;
    try (RawSocket socket = open()) {
      for (int i = 0; i < text.length(); i++) {
        socket.send(text.substring(i, i + 1));
      }
      String answers = socket.readToEnd();
      assertThat(statuses(answers)).containsExactly(200, 200, 200, 200, 404);
      assertThat(remaining(answers)).containsExactly(99, 98, 97);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET /readyz HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /readyz HTTP/1.0\r\n\r\n",
        "GET  /readyz HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: no\r\n\r\n",
      })
  void check_behindTheLastRequest_isNotCarriedOut(String last) throws Exception {
    try (RawSocket socket = open()) {
      assertThat(statuses(socket.send(last + check("42", "")).readToEnd())).hasSize(1);
    }
    try (RawSocket socket = open()) {
      socket.send(check("last", "Connection: close\r\n") + check("42", ""));
      assertThat(statuses(socket.readToEnd())).containsExactly(200);
    }
    assertThat(used("seen", "42", 100)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 24, 60, 110})
  void check_cutByTheEnd_isNotCarriedOutAndEndsTheConnection(int cut) throws Exception {
    try (RawSocket socket = open()) {
      assertThat(socket.send(check("42", "").substring(0, cut)).endSending().readToEnd()).isEmpty();
    }
    assertThat(used("seen", "42", 100)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 24, 60, 110})
  void check_halfBehindOneThatIsAnswered_isOverSoon(int cut) {
    Connections connections = new Connections(new Ports(), new AtomicInteger(), Bounds.defaults());
    HalfRequest half = new HalfRequest(connections);
    EmbeddedChannel channel = new EmbeddedChannel();
    HttpSettings settings = Rig.settings(Bounds.defaults(), List.of(), /* uds= */ null);
    PlainDesk desk = new PlainDesk(requireNonNull(rig.front.checks()), Gatekeeper.open(), settings);
    PlainChecks checks = new PlainChecks(desk, half, new Farewell(), channel.eventLoop());
    RequestDecoder decoder = new RequestDecoder(new Http1ServerConfig(), half);
    decoder.giveBack(checks::takeBack);
    Patience patience = new Patience(connections, channel, half);
    channel.pipeline().addLast(patience, checks, decoder);
    String check = request("", Rig.body("api", "seen", "42", /* cost= */ 1));

    channel.writeInbound(Unpooled.copiedBuffer(check + check.substring(0, cut), US_ASCII));
    assertThat(channel.outboundMessages()).hasSize(1);
    assertThat(channel.inboundMessages()).isEmpty();
    for (int i = 0; i < 10; i++) {
      connections.tick();
      channel.writeInbound(Unpooled.copiedBuffer(check.substring(cut, cut + 1), US_ASCII));
      cut++;
    }
    patience.closeIfOver(10, 75);
    assertThat(channel.isOpen()).isTrue();
    connections.tick();
    patience.closeIfOver(10, 75);
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll();
  }
}
