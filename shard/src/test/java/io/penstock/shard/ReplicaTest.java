package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica takes from the log, and when its owner may answer. */
class ReplicaTest {
  private static final Limit LIMIT = Limit.parse("10/day");
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-15T12:00:00Z"));
  private final Replica replica = new Replica(options());
  private final List<ByteBuffer> sent = new ArrayList<>();
  private final List<CompletableFuture<Void>> replies = new ArrayList<>();
  private int endings;

  private ShardOptions options() {
    return ShardOptions.of(/* folder= */ null, clock, 1 << 24).small(4, 1 << 20);
  }

  private Replica.Owned own(long term) {
    return replica.begin(
        term,
        new Rules(),
        clock.nanos(),
        entry -> {
          sent.add(entry);
          replies.add(new CompletableFuture<>());
          return replies.get(replies.size() - 1);
        },
        () -> endings++);
  }

  private static long take(Shard shard, long key, long cost) {
    Turn turn = new Turn();
    long generation = shard.enter();
    Rule rule = shard.rules().shared(LIMIT, Algorithm.GCRA);
    shard.table().play(turn.of(key, rule, shard.clock().nanos()).asks(cost));
    shard.leave(generation);
    return generation;
  }

  private static long used(Shard shard) {
    Turn turn = new Turn();
    Rule rule = shard.rules().shared(LIMIT, Algorithm.GCRA);
    shard.table().play(turn.of(KEY, rule, shard.clock().nanos()).asks(0));
    return LIMIT.capacity() - turn.step().remaining();
  }

  private void applyAll(long term) {
    sent.forEach(entry -> replica.apply(term, entry.duplicate()));
    sent.clear();
  }

  @Test
  void own_shard_saysThatOthersKeepItToo() {
    assertThat(own(1).shard().isReplicated()).isTrue();
    assertThat(Shard.open(options()).isReplicated()).isFalse();
  }

  @Test
  void r1_entryThatDoesNotFollow_isIgnored() throws IOException {
    Replica.Owned owned = own(3);
    take(owned.shard(), KEY, 2);
    owned.log().step();
    clock.advance(Duration.ofMillis(10));
    take(owned.shard(), KEY, 2);
    owned.log().step();

    assertThat(replica.apply(3, sent.get(1).duplicate())).as("the second first").isFalse();
    assertThat(replica.apply(4, sent.get(0).duplicate())).as("logged in a later term").isFalse();
    assertThat(replica.apply(3, sent.get(0).duplicate())).as("the first").isTrue();
    assertThat(replica.apply(3, sent.get(0).duplicate())).as("the first again").isFalse();
    assertThat(replica.apply(3, sent.get(1).duplicate())).as("the second").isTrue();
    assertThat(used(own(5).shard())).isEqualTo(4);
  }

  @Test
  void step_generationOnTheWay_gathersForTheNextUntilItIsLate() throws IOException {
    Replica.Owned owned = own(1);
    for (int i = 0; i < 4; i++) {
      take(owned.shard(), KEY, 1);
      owned.log().step();
    }
    assertThat(sent).as("at once").hasSize(1);

    clock.advance(Duration.ofMillis(10));
    owned.log().step();
    take(owned.shard(), KEY, 1);
    clock.advance(Duration.ofMillis(10));
    owned.log().step();
    assertThat(sent).as("never a third").hasSize(2);
  }

  @Test
  void r2_appendSucceeds_answersNothingUntilItIsApplied() throws IOException {
    Replica.Owned owned = own(1);
    List<Boolean> told = new ArrayList<>();
    owned.shard().whenDurable(take(owned.shard(), KEY, 1), told::add);
    owned.log().step();
    replies.get(0).complete(null);
    assertThat(told).isEmpty();
    applyAll(1);
    assertThat(told).containsExactly(true);
  }

  @Test
  void r4_appendFails_tellsThatNobodyKnows() throws IOException {
    Replica.Owned owned = own(1);
    List<Boolean> told = new ArrayList<>();
    owned.shard().whenDurable(take(owned.shard(), KEY, 1), told::add);
    owned.log().step();
    replies.get(0).completeExceptionally(new IOException("not the leader"));
    assertThat(told).containsExactly(false);
    assertThat(endings).isEqualTo(1);

    applyAll(1);
    assertThat(told).as("it counts, but who asked has been told").containsExactly(false);
    assertThat(used(own(2).shard())).isEqualTo(1);
  }

  @Test
  void r5_answerThatChangesNothing_waitsForAnEmptyEntry() throws IOException {
    Replica.Owned owned = own(1);
    owned.log().step();
    assertThat(sent).as("nobody waits").isEmpty();
    List<Boolean> told = new ArrayList<>();
    owned.shard().whenDurable(take(owned.shard(), KEY, 11), told::add);
    owned.log().step();
    assertThat(sent).hasSize(1);
    assertThat(told).isEmpty();
    applyAll(1);
    assertThat(told).containsExactly(true);
  }

  @Test
  void r6_longFrame_isCutAndCountsWholeOrNotAtAll() throws IOException {
    Replica.Owned owned = own(1);
    for (long key = 1; key <= 40_000; key++) {
      take(owned.shard(), key * KEY, 1);
    }
    owned.log().step();
    assertThat(sent.size()).isGreaterThan(2);
    assertThat(sent).allMatch(entry -> entry.remaining() <= Entry.BYTES_MAX);

    ByteBuffer last = sent.remove(sent.size() - 1);
    applyAll(1);
    assertThat(replica.isWhole()).isFalse();
    assertThat(used(own(2).shard())).as("a part is missing").isZero();
    assertThat(replica.apply(1, last.duplicate())).isTrue();
    assertThat(used(own(3).shard())).isEqualTo(1);
  }

  @Test
  void r6_termEndsWithinAFrame_leavesNothingOfIt() throws IOException {
    Replica.Owned owned = own(1);
    for (long key = 1; key <= 40_000; key++) {
      take(owned.shard(), key * KEY, 1);
    }
    owned.log().step();
    replica.apply(1, sent.get(0).duplicate());
    sent.clear();

    Replica.Owned next = own(2);
    take(next.shard(), KEY, 3);
    next.log().step();
    applyAll(2);
    assertThat(replica.isWhole()).isTrue();
    assertThat(used(own(3).shard())).isEqualTo(3);
  }

  @Test
  void r7_noAnswerForASecond_endsTheTerm() throws IOException {
    Replica.Owned owned = own(1);
    take(owned.shard(), KEY, 1);
    owned.log().step();
    clock.advance(Duration.ofMillis(1_001));
    assertThatThrownBy(owned.log()::step).hasMessage("entry 1: not accepted within a second");
  }

  @Test
  void r7_endOfATerm_dropsWhatWasNotAccepted() throws IOException {
    Replica.Owned owned = own(1);
    take(owned.shard(), KEY, 4);
    owned.log().step();
    assertThat(used(owned.shard())).isEqualTo(4);
    assertThat(used(own(2).shard())).isZero();
  }

  @Test
  void r8_copyWhileEntriesAreApplied_isMadeWholeByThem(@TempDir Path folder) throws IOException {
    Replica.Owned owned = own(1);
    take(owned.shard(), KEY, 1);
    owned.log().step();
    applyAll(1);
    Replica.Copy copy = replica.copy(1);
    take(owned.shard(), KEY, 2);
    owned.log().step();
    ByteBuffer later = sent.get(0);
    applyAll(1);
    copy.write(folder.resolve("copy"));

    Replica other = new Replica(options());
    other.read(folder.resolve("copy"));
    assertThat(other.apply(1, later.duplicate())).as("numbers go on").isTrue();
    Shard shard =
        other.begin(2, new Rules(), 0, entry -> new CompletableFuture<>(), () -> {}).shard();
    assertThat(used(shard)).isEqualTo(3);
  }

  @Test
  void read_damagedCopy_isRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("copy");
    replica.copy(1).write(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> replica.read(file)).hasMessageContaining("damaged");
  }

  @Test
  void apply_formatOfANewerVersion_isRefused() {
    ByteBuffer entry = Entry.of(1, 1, 0, ByteBuffer.allocate(8)).get(0);
    entry.put(0, (byte) 9);
    assertThatIllegalStateException()
        .isThrownBy(() -> replica.apply(1, entry))
        .withMessage("log entry: format 9 (expected: 1; a newer version wrote it)");
  }

  @Test
  void r14_answersAtOnce_onlyWhileAQuorumHasLatelyAccepted() throws IOException {
    Replica.Owned owned = own(1);
    assertThat(owned.shard().keepsUp(clock.nanos())).as("nothing was accepted yet").isFalse();
    take(owned.shard(), KEY, 1);
    owned.log().step();
    clock.advance(Duration.ofMillis(20));
    applyAll(1);
    clock.advance(Duration.ofMillis(39));
    assertThat(owned.shard().keepsUp(clock.nanos())).as("sent 59 ms ago").isTrue();
    clock.advance(Duration.ofMillis(1));
    assertThat(owned.shard().keepsUp(clock.nanos())).as("sent 60 ms ago").isFalse();
  }

  @Test
  void r15_newOwner_neverGoesBackBehindTheLastStamp() throws IOException {
    Replica.Owned owned = own(1);
    clock.advance(Duration.ofSeconds(5));
    take(owned.shard(), KEY, 1);
    owned.log().step();
    applyAll(1);
    long stamp = replica.stampNanos();
    Replica.Owned next = replica.begin(2, new Rules(), 0, e -> new CompletableFuture<>(), () -> {});
    assertThat(next.shard().clock().nanos()).isGreaterThanOrEqualTo(stamp);
  }

  @Test
  void apply_moreRulesThanThereAreNumbers_keepsWhatStatesNeed() throws IOException {
    Replica.Owned owned = own(1);
    Turn turn = new Turn();
    for (int i = 1; i <= 1_600; i++) {
      Rule rule = owned.shard().rules().shared(Limit.parse(i + "/min"), Algorithm.GCRA);
      owned
          .shard()
          .table()
          .play(turn.of((i + 1) * KEY, rule, owned.shard().clock().nanos()).asks(1));
    }
    take(owned.shard(), KEY, 2);
    owned.log().step();
    applyAll(1);
    clock.advance(Duration.ofMinutes(2));
    for (int i = 1; i <= 1_600; i++) {
      Rule rule = owned.shard().rules().shared(Limit.parse(i + "/hour"), Algorithm.GCRA);
      owned.shard().table().play(turn.of(-i * KEY, rule, owned.shard().clock().nanos()).asks(1));
    }
    take(owned.shard(), KEY, 2);
    owned.log().step();
    applyAll(1);
    assertThat(used(own(2).shard())).isEqualTo(4);
  }
}
