package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What leaves a replica, by what time, and what happens when it is full (R11). */
class ReplicaExpiryTest {
  private static final int TABLE_BYTES = 1 << 20;
  private static final int FULL_BYTES = TABLE_BYTES / 10 * 9 + 4_096;
  private static final int STRIPES = 256;
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;
  private static final long ID = 7;

  private final ManualClock clock = new ManualClock();
  private Runnable whenRead = () -> {};
  private final Replica replica = replica(TABLE_BYTES);
  private final List<ByteBuffer> sent = new ArrayList<>();
  private final Turn turn = new Turn();
  private long keys;

  private Replica replica(int tableBytes) {
    return new Replica(
        ShardOptions.of(/* folder= */ null, this::read, tableBytes).small(STRIPES, 1 << 20));
  }

  private long read() {
    long nanos = clock.nanos();
    Runnable then = whenRead;
    whenRead = () -> {};
    then.run();
    return nanos;
  }

  private Replica.Owned own(long term, long nowNanos) {
    return replica.begin(
        term,
        new Rules(),
        nowNanos,
        entry -> {
          sent.add(entry);
          return new CompletableFuture<>();
        },
        () -> {});
  }

  /** Takes one unit of a key that nobody has used; false if there is no room for it. */
  private boolean takeNew(Shard shard, String limit) {
    long generation = shard.enter();
    try {
      Rule rule = shard.rules().shared(Limit.parse(limit), Algorithm.GCRA);
      shard.table().play(turn.of(++keys * KEY, rule, shard.clock().nanos()).asks(1));
      return !turn.isFull();
    } finally {
      shard.leave(generation);
    }
  }

  private void applyAll(Replica to, long term) {
    for (ByteBuffer entry : sent) {
      assertThat(to.apply(term, entry.duplicate())).isTrue();
    }
    sent.clear();
  }

  private static boolean hasId(Replica.Owned owned) {
    return owned.shard().ids().get(ID, ID) != null;
  }

  @Test
  void r11_ids_endByTheStampsOfEntriesAndNotByTheClockOfTheReplica() throws IOException {
    Replica.Owned owned = own(1, clock.nanos());
    long logNanos = owned.shard().clock().nanos();
    owned.shard().ids().put(ID, ID, new byte[1], logNanos);
    owned.log().step();
    takeNew(owned.shard(), "1/day");
    owned.log().step();
    clock.advance(Duration.ofMinutes(11));
    applyAll(replica, 1);
    assertThat(hasId(own(2, logNanos))).as("its clock is ahead of the log").isTrue();

    Replica.Owned later = own(3, logNanos + Duration.ofMinutes(11).toNanos());
    takeNew(later.shard(), "1/day");
    later.log().step();
    applyAll(replica, 3);
    assertThat(hasId(own(4, logNanos))).as("an entry was stamped later").isFalse();
  }

  @Test
  void r11_statesThatAreOver_makeRoomWhenEntriesAreStampedLater() throws IOException {
    Replica.Owned owned = own(1, clock.nanos());
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(takeNew(owned.shard(), "1/s")).isTrue();
      }
      owned.log().step();
      applyAll(replica, 1);
      clock.advance(Duration.ofSeconds(2));
    }
  }

  /* Keys that end while an entry is made give their room to others that are in that entry. */
  @Test
  void r11_keysThatEndAndAreReplacedBeforeTheCut_endOnReplicasWithThatEntry() throws IOException {
    Replica.Owned owned = own(1, clock.nanos());
    while (takeNew(owned.shard(), "1/s")) {
      assertThat(keys).isLessThan(100_000);
    }
    owned.log().step();
    applyAll(replica, 1);
    long before = keys;
    owned.shard().ids().put(ID, ID, new byte[1], owned.shard().clock().nanos());
    whenRead =
        () -> {
          clock.advance(Duration.ofSeconds(2));
          while (keys < 2 * before - before / 10) {
            assertThat(takeNew(owned.shard(), "1/s")).isTrue();
          }
        };
    owned.log().step();
    assertThat(keys).as("taken meanwhile").isGreaterThan(before + 1);
    applyAll(replica, 1);
    assertThat(own(2, clock.nanos()).shard()).as("the next owner holds it too").isNotNull();
  }

  @Test
  void r11_replicaThatCannotHoldARecord_stopsWithAnError() throws IOException {
    Replica small = replica(TABLE_BYTES / 8);
    Replica.Owned owned = own(1, clock.nanos());
    for (int i = 0; i < 20_000; i++) {
      takeNew(owned.shard(), "1/day");
    }
    owned.log().step();
    assertThatThrownBy(() -> applyAll(small, 1)).hasMessageContaining("memory");
  }

  /* The owner refuses new keys while every replica still has room for what it has decided. */
  @Test
  void r11_ownerThatIsFull_neverSendsWhatAReplicaCannotHold() throws IOException {
    Replica.Owned owned = own(1, clock.nanos());
    int refused = 0;
    for (int round = 0; round < 1_000 && refused < 1_000; round++) {
      for (int i = 0; i < 100; i++) {
        refused += takeNew(owned.shard(), i % 3 == 0 ? "1/min" : "1/s burst 3") ? 0 : 1;
        clock.advanceNanos(20_000);
      }
      owned.log().step();
      applyAll(replica, 1);
    }
    assertThat(refused).as("refused").isGreaterThanOrEqualTo(1_000);
    assertThat(owned.shard().table().bytesMax())
        .as("what the owner may use")
        .isBetween(TABLE_BYTES * 89L / 100, TABLE_BYTES * 90L / 100);
    assertThat(own(2, clock.nanos()).shard()).as("the next owner holds it too").isNotNull();
  }

  /** As one of a version that let the owner have all: somebody must own it all the same. */
  @Test
  void r11_replicaThatIsFullerThanItsOwnerMayBe_isOwnedWhole() throws IOException {
    Replica full = full();
    Replica.Owned next = ownedAfter(full, new Rules());
    keys = 0;
    for (int i = 0; i < 1_000; i++) {
      takeNew(next.shard(), "1/day");
      assertThat(turn.step().allowed()).as("taken once before").isFalse();
    }
    assertThat(next.shard().table().bytesMax()).isEqualTo(FULL_BYTES);
  }

  /* A table that was begun and is too small for all has states that nobody rewrites. */
  @Test
  void r12_replicaThatWasOwnedWhole_keepsNoNumberOfARuleWhenItIsOver() throws IOException {
    Rules rules = new Rules();
    ownedAfter(full(), rules).shard().table().end();
    for (int i = 1; i <= 5_000; i++) {
      Rule rule = rules.shared(Limit.parse(i + "/min"), Algorithm.GCRA);
      assertThat(rule.isGiven()).as("rule " + i + " has no number").isFalse();
      rules.unshare(rule, /* successor= */ null, clock.nanos());
      rules.sweptWithoutStates(clock.nanos());
    }
  }

  /** One that holds more than 90 % of its memory. */
  private Replica full() throws IOException {
    Replica full = replica(FULL_BYTES);
    Replica.Owned owned = own(1, clock.nanos());
    while (takeNew(owned.shard(), "1/day")) {
      assertThat(keys).isLessThan(100_000);
    }
    owned.log().step();
    applyAll(full, 1);
    return full;
  }

  private Replica.Owned ownedAfter(Replica full, Rules rules) {
    return full.begin(
        /* ownedTerm= */ 2, rules, clock.nanos(), entry -> new CompletableFuture<>(), () -> {});
  }
}
