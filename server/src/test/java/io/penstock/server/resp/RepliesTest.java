package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Part;
import io.penstock.server.node.Throttled;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.node.Why;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RepliesTest {
  private static final int WAITING_MAX = 50;

  private final EventExecutor loop = new DefaultEventExecutor();
  private final Output output = new Output(64);
  private final AtomicInteger drains = new AtomicInteger();
  private final Replies replies =
      new Replies(
          loop,
          output,
          WAITING_MAX,
          () -> {
            drains.incrementAndGet();
            drain();
          });

  private void drain() {
    replies.drain();
  }

  @AfterEach
  void stop() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** An answer that can be told from the others by the version of its policy. */
  private static Answer answer(int number) {
    Part part = new Part(true, "api/user", number, Why.OK, -1, List.of(), Part.AS_METER);
    return new Answer(true, 0, List.of(part), 0, Durability.STRICT, "n1", false);
  }

  private void onLoop(Runnable task) {
    loop.submit(task).syncUninterruptibly();
  }

  /** The numbers of all answers so far, in the order in which they leave. */
  private List<String> left() {
    List<String> numbers = new ArrayList<>();
    onLoop(
        () -> {
          String text = new String(output.bytes(), 0, output.length(), UTF_8);
          for (String line : text.split("\r\n", -1)) {
            if (line.startsWith("+") || line.matches(":1\\d\\d\\d")) {
              numbers.add(line.substring(1));
            }
          }
        });
    return numbers;
  }

  private Slot<Answer> slot() {
    return replies.slot((answer, out) -> CheckCommand.write(answer, /* resp3= */ false, out));
  }

  private Slot<Answer> ask() {
    Slot<Answer> slot = slot();
    onLoop(() -> replies.settle(slot));
    return slot;
  }

  private void say(String line) {
    onLoop(() -> replies.out().simple(line));
  }

  @Test
  void settle_answerCameAtOnce_isWrittenWithoutWaking() {
    onLoop(
        () -> {
          Slot<Answer> slot = slot();
          slot.accept(answer(1_001));
          replies.settle(slot);
        });

    assertThat(left()).containsExactly("1001");
    assertThat(drains).hasValue(0);
  }

  @Test
  void fail_afterAWhile_isAnErrorInItsPlace() {
    Slot<Answer> first = ask();
    say("b");

    first.fail(new UnavailableException("owner: none\r\n+forged"));

    onLoop(() -> {});
    onLoop(
        () ->
            assertThat(new String(output.bytes(), 0, output.length(), UTF_8))
                .isEqualTo("-ERR owner: none??+forged\r\n+b\r\n"));
  }

  @Test
  void throttled_later_keepsItsPlace() {
    onLoop(
        () -> {
          Slot<Throttled> slot = replies.throttled(ThrottleCommand::write).get();
          replies.out().simple("b");
          slot.accept(new Throttled(true, 5, 4, 0, 0));
        });

    onLoop(() -> {});
    onLoop(
        () ->
            assertThat(new String(output.bytes(), 0, output.length(), UTF_8))
                .isEqualTo("*5\r\n:0\r\n:5\r\n:4\r\n:-1\r\n:0\r\n+b\r\n"));
  }

  @Test
  void out_behindOneThatWaits_waitsToo() {
    say("a");
    Slot<Answer> first = ask();
    say("b");
    Slot<Answer> second = ask();
    say("c");

    second.accept(answer(1_002));
    assertThat(left()).containsExactly("a");

    first.accept(answer(1_001));
    assertThat(left()).containsExactly("a", "1001", "b", "1002", "c");
    say("d");
    assertThat(left()).endsWith("d");
  }

  @Test
  void accept_onTheLoopLater_wakes() {
    Slot<Answer> slot = ask();
    onLoop(() -> slot.accept(answer(1_001)));

    assertThat(left()).containsExactly("1001");
  }

  @Test
  void accept_anyOrderOnOtherThreads_leavesInTheOrderOfTheCommands() {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      List<String> expected = new ArrayList<>();
      List<Runnable> later = new ArrayList<>();
      onLoop(() -> output.clear(64));
      for (int i = 0; i < WAITING_MAX - 1; i++) {
        int number = 1_000 + i;
        expected.add(Integer.toString(number));
        if (random.nextInt(4) == 0) {
          say(Integer.toString(number));
        } else {
          Slot<Answer> slot = ask();
          later.add(() -> slot.accept(answer(number)));
        }
      }
      Collections.shuffle(later, random);
      later.parallelStream().forEach(Runnable::run);

      assertThat(left()).isEqualTo(expected);
    }
  }

  @Test
  void isFull_asManyWaitAsMay_untilOneHasCome() {
    List<Slot<Answer>> slots = new ArrayList<>();
    for (int i = 0; i < WAITING_MAX; i++) {
      assertThat(replies.isFull()).isFalse();
      slots.add(ask());
    }
    assertThat(replies.isFull()).isTrue();

    slots.get(0).accept(answer(1_001));
    left();
    assertThat(replies.isFull()).isFalse();
  }

  @Test
  void isFull_muchBehindOneThatWaits_untilItHasCome() {
    Slot<Answer> first = ask();
    String large = "x".repeat(100_000);
    say(large);
    ask();
    say(large);
    assertThat(replies.isFull()).isFalse();
    say(large);
    assertThat(replies.isFull()).isTrue();

    first.accept(answer(1_001));
    left();
    assertThat(replies.isFull()).isFalse();
  }
}
