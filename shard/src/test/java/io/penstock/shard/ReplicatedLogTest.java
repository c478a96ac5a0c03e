package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.state.Rules;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How many share an entry, and that everybody is told what became of it. */
class ReplicatedLogTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-15T12:00:00Z"));
  private Runnable whenRead = () -> {};
  private final Replica replica =
      new Replica(ShardOptions.of(/* folder= */ null, this::read, 1 << 24).small(4, 1 << 20));
  private final List<ByteBuffer> sent = new ArrayList<>();
  private final Replica.Owned owned =
      replica.begin(
          /* term= */ 1,
          new Rules(),
          clock.nanos(),
          entry -> {
            sent.add(entry);
            return new CompletableFuture<>();
          },
          () -> {});

  private long read() {
    Runnable then = whenRead;
    whenRead = () -> {};
    then.run();
    return clock.nanos();
  }

  private void ask() {
    long generation = owned.shard().enter();
    owned.shard().leave(generation);
    owned.shard().whenDurable(generation, told -> {});
  }

  private void accept() {
    sent.forEach(entry -> assertThat(replica.apply(/* term= */ 1, entry)).isTrue());
    sent.clear();
  }

  /** Two asked, and were answered after 4 ms. */
  private void answerTwo() throws IOException {
    ask();
    ask();
    owned.log().step();
    clock.advance(Duration.ofMillis(4));
    accept();
  }

  @Test
  void step_thoseWhoWereAnsweredAskAgain_shareAnEntry() throws IOException {
    answerTwo();
    ask();
    owned.log().step();
    assertThat(sent).as("one of two").isEmpty();
    ask();
    owned.log().step();
    assertThat(sent).as("both").hasSize(1);
  }

  @Test
  void step_oneDoesNotAskAgain_isWaitedForHalfAsLongAsTheAnswersTook() throws IOException {
    answerTwo();
    ask();
    clock.advance(Duration.ofMillis(2).minusNanos(1));
    owned.log().step();
    assertThat(sent).isEmpty();
    clock.advance(Duration.ofNanos(1));
    owned.log().step();
    assertThat(sent).hasSize(1);
  }

  @Test
  void step_whoeverCameMeanwhile_isExpectedToo() throws IOException {
    ask();
    owned.log().step();
    clock.advance(Duration.ofMillis(4));
    ask();
    accept();
    owned.log().step();
    assertThat(sent).as("one waits, one was answered").isEmpty();
    ask();
    owned.log().step();
    assertThat(sent).hasSize(1);
  }

  /** R4: whoever was taken for an entry that is never sent is told so. */
  @Test
  void r4_termEndsWhileAnEntryIsMade_whoeverWaitsForItIsToldAndNothingIsSent() throws IOException {
    List<Boolean> told = new ArrayList<>();
    long generation = owned.shard().enter();
    owned.shard().leave(generation);
    owned.shard().whenDurable(generation, told::add);
    whenRead = replica::end;
    owned.log().step();
    assertThat(told).containsExactly(false);
    assertThat(sent).isEmpty();
  }

  @Test
  void r4_anythingIsThrownWhileAnEntryIsMade_whoeverWaitsForItIsTold() {
    List<Boolean> told = new ArrayList<>();
    long generation = owned.shard().enter();
    owned.shard().leave(generation);
    owned.shard().whenDurable(generation, told::add);
    whenRead =
        () -> {
          throw new OutOfMemoryError("as if");
        };
    assertThatThrownBy(owned.log()::step).isInstanceOf(OutOfMemoryError.class);
    assertThat(told).containsExactly(false);
    assertThat(sent).isEmpty();
  }
}
