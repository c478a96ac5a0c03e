package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes that talk over a real port. */
@Timeout(60)
class CallsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A question at the other node, to be answered by a test. */
  private record Asked(String question, CompletableFuture<byte[]> answer) {
    void reply() {
      answer.complete((question + "!").getBytes(UTF_8));
    }
  }

  private final Calls here = new Calls(Clock.system(), /* tls= */ null);
  private final Calls there = new Calls(Clock.system(), /* tls= */ null);
  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private Server server = open(/* port= */ 0);

  private Server open(int port) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      return there.offer(NettyServerBuilder.forAddress(address), this::answer).build().start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
    server.shutdownNow();
  }

  private CompletableFuture<byte[]> answer(byte[] question) {
    Asked next = new Asked(new String(question, UTF_8), new CompletableFuture<>());
    asked.add(next);
    return next.answer;
  }

  private CompletableFuture<byte[]> ask(String question) {
    Peer peer = new Peer("n2", "127.0.0.1", server.getPort());
    return here.talk(peer, question.getBytes(UTF_8), PATIENCE).toCompletableFuture();
  }

  private Asked next() throws InterruptedException {
    Asked next = asked.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  @Test
  void ask_whatIsNotUnderstoodThere_isToldAsSuch() throws InterruptedException {
    Peer peer = new Peer("n2", "127.0.0.1", server.getPort());
    Doorbell bell = new Doorbell("n1", here, knock -> completedFuture(Seating.NONE));
    CompletableFuture<Hello> hello = bell.hello(peer).toCompletableFuture();
    next().answer.completeExceptionally(new FormatException("hello: format 1 (expected: 9)"));
    assertThatThrownBy(hello::join)
        .hasCauseInstanceOf(FormatException.class)
        .hasMessageContaining(peer + ": hello: format 1 (expected: 9)");
    CompletableFuture<Hello> again = bell.hello(peer).toCompletableFuture();
    next().answer.completeExceptionally(new IOException("no"));
    assertThatThrownBy(again::join).cause().isNotInstanceOf(FormatException.class);
  }

  @Test
  void talk_thousandsAtOnce_goInFewMessagesAndEachIsAnswered() throws InterruptedException {
    int count = 5_000;
    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(ask("q" + i));
    }
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(0, next());
    }
    all.forEach(Asked::reply);
    for (int i = 0; i < count; i++) {
      assertThat(answers.get(i).join()).asString(UTF_8).isEqualTo("q" + i + "!");
    }
    assertThat(here.traffic().questions().letters()).isEqualTo(count);
    assertThat(here.traffic().questions().messages()).isBetween(1L, count - 1L);
    assertThat(there.traffic().answers().letters()).isEqualTo(count);
    assertThat(here.traffic().outstanding()).isZero();
  }

  @Test
  void talk_deskFails_onlyThatQuestionDoes() throws InterruptedException {
    CompletableFuture<byte[]> bad = ask("bad");
    CompletableFuture<byte[]> good = ask("good");
    next().answer.completeExceptionally(new IllegalStateException("no desk"));
    next().reply();
    assertThat(good.join()).asString(UTF_8).isEqualTo("good!");
    assertThat(bad).isCompletedExceptionally();
  }

  @Test
  void talk_otherNodeIsRestarted_losesWhatWasAskedAndGoesOn() throws InterruptedException {
    CompletableFuture<byte[]> answered = ask("answered");
    next().reply();
    assertThat(answered.join()).asString(UTF_8).isEqualTo("answered!");
    CompletableFuture<byte[]> lost = ask("lost");
    next();
    int port = server.getPort();
    server.shutdownNow().awaitTermination();
    Trio.await(lost::isCompletedExceptionally);
    server = open(port);
    Trio.await(() -> !ask("again").isCompletedExceptionally() && !asked.isEmpty());
    assertThat(next().question).isEqualTo("again");
  }
}
