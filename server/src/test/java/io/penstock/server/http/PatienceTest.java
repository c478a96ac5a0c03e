package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.penstock.server.Bounds;
import io.vertx.core.http.Http1ServerConfig;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final String WHOLE = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final int REQUEST = 10;
  private static final int IDLE = 75;

  private final Connections connections =
      new Connections(new Ports(), new AtomicInteger(), Bounds.defaults());
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final HalfRequest half = new HalfRequest(connections);
  private final RequestDecoder decoder = new RequestDecoder(new Http1ServerConfig(), half);
  private final Patience patience = new Patience(connections, channel, half);

  PatienceTest() {
    channel.pipeline().addLast(patience, decoder);
  }

  @AfterEach
  void end() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, US_ASCII);
  }

  private void read(String text) {
    channel.writeInbound(bytes(text));
  }

  private void answer() {
    channel.writeOutbound(bytes("HTTP/1.1 200 OK\r\n\r\n"));
  }

  private boolean isOpenAfter(int seconds) {
    for (int i = 0; i < seconds; i++) {
      connections.tick();
    }
    patience.closeIfOver(REQUEST, IDLE);
    return channel.isOpen();
  }

  @Test
  void closeIfOver_halfARequestBehindOneThatIsAnswered_isOverSoon() {
    read(WHOLE + "GET /rea");
    assertThat(isOpenAfter(REQUEST - 1)).isTrue();
    answer();

    assertThat(isOpenAfter(1)).isTrue();
    assertThat(isOpenAfter(1)).isFalse();
  }

  @Test
  void closeIfOver_halfABodyWhoseRefusalIsSent_isOverSoon() {
    read("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{");
    answer();

    assertThat(isOpenAfter(REQUEST)).isTrue();
    assertThat(isOpenAfter(1)).isFalse();
  }

  @Test
  void closeIfOver_byteByByte_isOverSoon() {
    for (int i = 0; i <= REQUEST; i++) {
      read(WHOLE.substring(i, i + 1));
      assertThat(isOpenAfter(i == 0 ? 0 : 1)).isTrue();
    }
    assertThat(isOpenAfter(1)).isFalse();
  }

  @Test
  void closeIfOver_eachHalfSoonWhole_goesOn() {
    String half = WHOLE.substring(0, 9);
    read(half);
    for (int i = 0; i < 10; i++) {
      read(WHOLE.substring(9) + half);
      answer();
      assertThat(isOpenAfter(REQUEST)).as("request %s", i).isTrue();
    }
    assertThat(isOpenAfter(1)).isFalse();
  }

  @Test
  void closeIfOver_nothingAfterAnAnswer_isOverWhenIdleForLong() {
    read(WHOLE);
    answer();

    assertThat(isOpenAfter(IDLE)).isTrue();
    assertThat(isOpenAfter(1)).isFalse();
  }
}
