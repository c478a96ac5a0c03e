package io.penstock.server.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Throttled;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.policy.MoveStep;
import io.penstock.server.policy.Placement;
import io.penstock.server.policy.VersionConflictException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** R23: a shard moves from one group to another while it is decided on, whoever dies meanwhile. */
class MoveTest extends MovingShard {
  @Test
  void r23_shard_movedThereAndBack_keepsWhatWasUsedIdsAndReservations() {
    assertThat(check("n1", "a", bank).answer().duplicate()).isFalse();
    Told<Held> held = new Told<>();
    town.node("n3").reserve(request("r", 2, bank), 60_000, held);
    String id = requireNonNull(held.answer().id());
    assertThat(left(bank)).isEqualTo(7);
    for (int to : List.of(1, 2, 0, 1)) {
      move(to);
      Answer again = check("n2", "a", bank).answer();
      assertThat(again.duplicate()).isTrue();
      assertThat(again.decidedBy()).startsWith(OWNERS.get(to) + " shard " + shard);
      assertThat(left(bank)).isEqualTo(7);
      Told<Held> repeated = new Told<>();
      town.node("n1").reserve(request("r", 2, bank), 60_000, repeated);
      assertThat(repeated.answer().id()).isEqualTo(id);
    }
    Told<Settled> settled = new Told<>();
    town.node("n3").cancel(id, settled);
    assertThat(settled.answer()).isEqualTo(Settled.DONE);
    assertThat(left(bank)).isEqualTo(9);
    move(0);
    assertThat(left(bank)).isEqualTo(9);
    Told<Settled> twice = new Told<>();
    town.node("n1").cancel(id, twice);
    assertThat(twice.answer()).isEqualTo(Settled.DONE);
    assertThat(left(bank)).as("once").isEqualTo(9);
    assertThat(left(pump)).isEqualTo(10);
  }

  /** R20: of what has moved, whoever is asked to undo it knows nothing; it ends by its time. */
  @Test
  void undoing_aReservationThatHasMoved_changesNothing() {
    Told<Held> held = new Told<>();
    Runnable undo =
        requireNonNull(town.local(0)).reserveUndoably(request(null, 2, bank), 60_000, held);
    move(1);
    requireNonNull(undo).run();
    assertThat(left(bank)).isEqualTo(8);
  }

  @Test
  void r23_keyOfARequestsOwnLimit_movesToo() {
    assertThat(town.policies.shard("api", bank)).isEqualTo(shard);
    long hash =
        IntStream.iterate(0, i -> i + 1)
            .mapToLong(this::throttled)
            .filter(each -> each >>> 56 == shard)
            .findFirst()
            .orElseThrow();
    for (int to : List.of(1, 0, 2)) {
      Told<Boolean> forgotten = new Told<>();
      town.node("n3").forget(hash, forgotten);
      assertThat(take(hash)).isTrue();
      move(to);
      assertThat(take(hash)).as("nothing is left").isFalse();
    }
  }

  private long throttled(int number) {
    byte[] key = ("key" + number).getBytes(US_ASCII);
    return town.node("n1").hash(key, 0, key.length);
  }

  private boolean take(long hash) {
    Told<Throttled> told = new Told<>();
    Throttled atOnce = town.node("n2").throttle(hash, Limit.parse("1/day"), 1, 0, () -> told);
    return (atOnce == null ? told.answer() : atOnce).allowed();
  }

  private static Stream<Arguments> deaths() {
    List<Arguments> deaths = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      for (boolean isDone : new boolean[] {false, true}) {
        for (String dead : List.of("mover", "source", "target", "both")) {
          deaths.add(Arguments.of(step, isDone, dead));
        }
      }
    }
    return deaths.stream();
  }

  /** Nothing is lost, nothing is doubled, and nobody is above its limit. */
  @ParameterizedTest
  @MethodSource("deaths")
  void r23_deathAtAnyStep_isMadeUpForByWhoeverFollows(int step, boolean isDone, String dead) {
    for (int i = 0; i < 7; i++) {
      assertThat(check("n3", "id" + i, bank).answer().allowed()).isTrue();
    }
    begin(1);
    Steps dying = new Steps(step, isDone);
    assertThatThrownBy(() -> haul(dying)).isInstanceOf(Crash.class);
    List<Told<Answer>> meanwhile = new ArrayList<>();
    meanwhile.add(check("n3", "meanwhile", bank));
    if (dead.equals("source") || dead.equals("both")) {
      town.lose(0);
      town.own(0, "n3");
    }
    if (dead.equals("target") || dead.equals("both")) {
      town.lose(1);
      town.own(1, "n1");
    }
    meanwhile.add(check("n1", "later", bank));
    goOn();
    assertThat(group()).isEqualTo(1);
    town.advanceMillis(90);
    for (Told<Answer> told : meanwhile) {
      assertThat(told.answer().allowed()).as("%s", told.answer()).isTrue();
    }
    assertThat(left(bank)).isEqualTo(1);
    for (int i = 0; i < 7; i++) {
      assertThat(check("n2", "id" + i, bank).answer().duplicate()).isTrue();
    }
    assertThat(check("n2", /* id= */ null, bank).answer().allowed()).isTrue();
    assertThat(check("n2", /* id= */ null, bank).answer().allowed()).isFalse();
    move(0);
    assertThat(check("n2", /* id= */ null, bank).answer().allowed()).isFalse();
  }

  /** The first of commit and abort counts; then whoever was frozen goes on, and nothing is left. */
  @ParameterizedTest
  @MethodSource("deaths")
  void r23_abortAfterAnyStep_leavesTheShardWhereItIs(int step, boolean isDone, String dead) {
    check("n3", "a", bank);
    begin(1);
    Steps dying = new Steps(step, isDone);
    assertThatThrownBy(() -> haul(dying)).isInstanceOf(Crash.class);
    if (!dead.equals("mover")) {
      town.lose(0);
      town.own(0, "n3");
    }
    Haul haul = new Haul(removals(0), town.map.get(shard), alive);
    if (step == STEPS - 1 && isDone) {
      assertThatThrownBy(haul::giveUp).isInstanceOf(VersionConflictException.class);
      goOn();
      assertThat(group()).isEqualTo(1);
    } else {
      haul.giveUp();
      goOn();
      assertThat(group()).isZero();
      assertThatThrownBy(() -> alive.propose(MoveStep.commit(shard, 1)))
          .isInstanceOf(VersionConflictException.class);
    }
    assertThat(check("n2", "a", bank).answer().duplicate()).isTrue();
    assertThat(left(bank)).isEqualTo(9);
    move(2);
    assertThat(left(bank)).isEqualTo(9);
  }

  /** A mover that does not know that it is one no more cannot take back what is ready. */
  @Test
  void r23_moverThatWasReplaced_changesNothingThatIsReady() {
    check("n3", "a", bank);
    begin(1);
    Placement moving = town.map.get(shard);
    Haul late = new Haul(removals(0), moving, alive);
    assertThatThrownBy(() -> haul(new Steps(STEPS - 1, /* isDone= */ false)))
        .isInstanceOf(Crash.class);
    Told<Cargo.Landing> told = new Told<>();
    removals(1).take(new Cargo(shard, 1, 99, 0, false, 0, 0, ByteBuffer.allocate(0)), told);
    assertThat(told.answer()).isEqualTo(Cargo.Landing.READY);
    goOn();
    late.run();
    assertThat(left(bank)).isEqualTo(9);
    Told<Cargo.Landing> after = new Told<>();
    removals(1).take(new Cargo(shard, 1, 99, 0, false, 0, 0, ByteBuffer.allocate(0)), after);
    assertThat(after.answer()).as("open by now").isEqualTo(Cargo.Landing.READY);
    assertThat(left(bank)).isEqualTo(9);
    Told<Cargo.Landing> old = new Told<>();
    move(0);
    removals(0).take(new Cargo(shard, 1, 99, 0, false, 0, 0, ByteBuffer.allocate(0)), old);
    assertThat(old.answer()).isEqualTo(Cargo.Landing.REFUSED);
    assertThat(left(bank)).isEqualTo(9);
  }

  @Test
  void r23_frozenShard_isDecidedByNobodyUntilItIsOpen() {
    begin(1);
    assertThatThrownBy(() -> haul(new Steps(1, /* isDone= */ false))).isInstanceOf(Crash.class);
    Told<Answer> told = check("n3", /* id= */ null, bank);
    town.advanceMillis(60);
    assertThat(told.isNothing()).isTrue();
    goOn();
    town.advanceMillis(90);
    assertThat(told.answer().decidedBy()).startsWith("n2 shard " + shard + " epoch 429496");
    assertThat(left(bank)).isEqualTo(9);
  }

  @Test
  void r23_resetWhileMoving_isToBeAskedAgain() {
    check("n3", "a", bank);
    begin(1);
    assertThatThrownBy(() -> haul(new Steps(1, /* isDone= */ false))).isInstanceOf(Crash.class);
    assertThat(reset(bank).failure()).isInstanceOf(UnavailableException.class);
    goOn();
    assertThat(reset(bank).answer()).isEqualTo(Durability.STRICT);
    assertThat(left(bank)).isEqualTo(10);
  }

  private Told<Durability> reset(Descriptor key) {
    Told<Durability> told = new Told<>();
    town.node("n1").reset("api", List.of(key), told);
    return told;
  }
}
