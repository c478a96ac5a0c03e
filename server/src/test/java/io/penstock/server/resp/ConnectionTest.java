package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.penstock.server.Bounds;
import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.node.Node;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection without a network: what is read together, and when, is up to the test. */
class ConnectionTest {
  private static final long IDLE_SECONDS = 60;

  private final EmbeddedChannel channel = new EmbeddedChannel();

  /** Opens the connection, in a round of reads. */
  private void connect(Gatekeeper gatekeeper) {
    connect(channel, Nodes.inMemory(), gatekeeper);
  }

  private static void connect(EmbeddedChannel channel, Node node, Gatekeeper gatekeeper) {
    channel.freezeTime();
    RespOptions options = RespClient.local().withIdle(Duration.ofSeconds(IDLE_SECONDS));
    Commands commands = new Commands(node, Bounds.defaults(), new RespStats());
    channel
        .pipeline()
        .addLast(new Connection(channel, commands, gatekeeper, options, /* id= */ 1))
        .fireChannelActive();
  }

  /** The same, where one unsent byte is as much as a client may leave. */
  private void connectToUnwilling() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
    connect(Gatekeeper.open());
  }

  @AfterEach
  void end() {
    channel.finishAndReleaseAll();
  }

  /** Hands over what was read, in a round of reads that goes on. */
  private void read(String bytes) {
    channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(bytes, US_ASCII));
  }

  private String sent() {
    ByteBuf sent = channel.readOutbound();
    String text = sent.toString(US_ASCII);
    sent.release();
    return text;
  }

  private boolean isOpenAfter(long seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    return channel.isOpen();
  }

  @Test
  void read_answersAreNotTaken_endsTheRoundOfReads() {
    connectToUnwilling();
    read("PING\r\n");
    assertThat(channel.isWritable()).isFalse();
    assertThat(channel.config().isAutoRead()).isFalse();

    channel.pipeline().fireChannelReadComplete();
    assertThat(sent()).isEqualTo("+PONG\r\n");
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void idle_answersAreNotTaken_isClosedThoughCommandsAreLeft() {
    connectToUnwilling();
    read("PING\r\n");
    read("ECHO left\r\n");

    assertThat(isOpenAfter(IDLE_SECONDS / 2)).isTrue();
    assertThat(isOpenAfter(IDLE_SECONDS)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*1\r\n$400\r\nPI",
        "*2\r\n$4\r\nECHO\r\n$1000\r\n",
        "*2\r\n$4\r\nECHO\r\n$100000000\r\n",
        "*2\r\n$4\r\nECHO\r\n$100000000\r\nvalue",
        "*100000\r\n$100\r\n"
      })
  void half_commandOfWhichAByteComesNowAndThen_isClosedAfterThirteenSeconds(String half) {
    connect(Gatekeeper.open());
    read(half);
    for (int second = 0; second < 9; second++) {
      assertThat(isOpenAfter(1)).isTrue();
      read("x");
    }
    assertThat(isOpenAfter(1)).isTrue();
    assertThat(isOpenAfter(3)).isFalse();
  }

  @Test
  void half_refusedCommandThatIsWholeInTime_staysOpen() {
    connect(Gatekeeper.open());
    read("*2\r\n$4\r\nECHO\r\n$10000000\r\n");
    assertThat(isOpenAfter(7)).isTrue();
    read("x".repeat(10_000_000) + "\r\n");
    channel.pipeline().fireChannelReadComplete();
    assertThat(sent()).startsWith("-ERR argument: 10000000 bytes");
    assertThat(isOpenAfter(20)).isTrue();
  }

  @Test
  void half_manyRefusedCommandsEachWholeInTime_stayOpen() {
    connect(Gatekeeper.open());
    String head = "*2\r\n$4\r\nECHO\r\n$1000000\r\n";
    read(head);
    for (int second = 0; second < 30; second++) {
      assertThat(isOpenAfter(1)).isTrue();
      read("x".repeat(1_000_000) + "\r\n" + head);
      channel.pipeline().fireChannelReadComplete();
      assertThat(sent()).startsWith("-ERR argument: 1000000 bytes");
    }
  }

  @Test
  void read_largeCommandTogetherWithTheLogin_isTaken(@TempDir Path folder) throws IOException {
    String key = "0123456789abcdef";
    Path keys = folder.resolve("keys.yaml");
    Files.writeString(keys, "- {name: a, roles: {\"*\": [check]}, key: " + key + "}\n");
    connect(
        Gatekeeper.of(
            new Access(keys, null, null, null, null), () -> Instant.EPOCH, new FileWatch()));

    String value = "v".repeat(8 << 10);
    read(
        RespClient.array("AUTH", key)
            + RespClient.array("PENSTOCK.CHECK", "api", "a", value, "b", value, "c", value));
    channel.pipeline().fireChannelReadComplete();

    assertThat(sent()).startsWith("+OK\r\n*11\r\n:0\r\n");
  }

  /** Both connections are of one event loop, and so is where their answers are put together. */
  @Test
  void run_endsWithAnError_leavesNoAnswersToTheNextConnection() {
    EmbeddedChannel other = new EmbeddedChannel();
    connect(other, withoutMemory(), Gatekeeper.open());
    other
        .pipeline()
        .fireChannelRead(Unpooled.copiedBuffer("PING\r\nPENSTOCK.CHECK api a b\r\n", US_ASCII));
    assertThat(other.isOpen()).isFalse();

    connect(Gatekeeper.open());
    read("ECHO mine\r\n");
    channel.pipeline().fireChannelReadComplete();
    assertThat(sent()).isEqualTo("$4\r\nmine\r\n");
  }

  private static Node withoutMemory() {
    Node node = Nodes.inMemory();
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("check")) {
                throw new OutOfMemoryError("as a test");
              }
              return method.invoke(node, arguments);
            });
  }
}
