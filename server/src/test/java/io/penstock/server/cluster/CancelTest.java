package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.cluster.Network.Fault;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Held;
import io.penstock.server.node.Why;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R20: a strict check that was denied because its budget was over is not counted either. */
class CancelTest {
  private final Town town =
      new Town()
          .policy("api/bank", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\"}")
          .policy("api/pump", "{\"limits\":[\"10/s burst 10\"],\"consistency\":\"strict\"}")
          .policy(
              "api/open",
              "{\"limits\":[\"10/day\"],\"consistency\":\"strict\",\"failMode\":\"open\"}")
          .policy("api/paid", "{\"limits\":[\"10/day\"],\"failMode\":\"closed\"}")
          .policy(
              "api/slot", "{\"limits\":[\"10 concurrent lease 60s\"],\"consistency\":\"strict\"}")
          .own("n2");

  private Told<Answer> check(String node, String key, @Nullable String id, long cost) {
    return town.check(node, Town.request(id, cost, key, "42"));
  }

  private long left(String key) {
    return check("n2", key, /* id= */ null, 0).answer().remaining();
  }

  private static void assertFailedClosed(Told<Answer> told) {
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_CLOSED);
  }

  @Test
  void r20_strictAndOwnerCannotKeepItInTime_isUndone() {
    town.log().hold();
    Told<Answer> told = check("n1", "bank", /* id= */ null, 3);
    town.advanceMillis(250);
    assertFailedClosed(told);
    town.log().keep();
    assertThat(left("bank")).isEqualTo(10);
    assertThat(told.answers).hasSize(1);
    assertThat(town.network.asked).as("the question, and its cancel once").hasSize(2);
  }

  @Test
  void r20_strictAtTheOwnerItself_isUndone() {
    town.log().hold();
    Told<Answer> told = check("n2", "bank", /* id= */ null, 3);
    town.advanceMillis(250);
    assertFailedClosed(told);
    town.log().keep();
    assertThat(left("bank")).isEqualTo(10);
    assertThat(told.answers).hasSize(1);
    assertThat(town.network.asked).isEmpty();
  }

  @Test
  void strict_atTheOwnerWithAnId_staysAndIsAnsweredWhenRepeated() {
    town.log().hold();
    check("n2", "bank", "id", 3);
    town.advanceMillis(250);
    town.log().keep();
    assertThat(check("n2", "bank", "id", 3).answer().duplicate()).isTrue();
    assertThat(left("bank")).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "n2"})
  void r20_strictReservationOrLease_isUndone(String node) {
    town.log().hold();
    Told<Held> reserved = reserve(node, /* id= */ null);
    Told<Held> acquired = acquire(node, /* id= */ null);
    town.advanceMillis(250);
    assertThat(reserved.answer().answer().why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(acquired.answer().answer().why()).isEqualTo(Why.FAIL_CLOSED);
    town.log().keep();
    assertThat(left("bank")).isEqualTo(10);
    assertThat(left("slot")).isEqualTo(10);
  }

  /** R22: whoever has an id asks again, and is told what is held. */
  @ParameterizedTest
  @ValueSource(strings = {"n1", "n2"})
  void strict_reservationOrLeaseWithAnId_staysAndIsToldWhenRepeated(String node) {
    town.log().hold();
    reserve(node, "id");
    acquire(node, "id");
    town.advanceMillis(250);
    town.log().keep();
    assertThat(left("bank")).isEqualTo(7);
    assertThat(left("slot")).isEqualTo(7);
    assertThat(reserve(node, "id").answer().id()).isNotNull();
    assertThat(acquire(node, "id").answer().id()).isNotNull();
    assertThat(left("bank")).isEqualTo(7);
    assertThat(left("slot")).isEqualTo(7);
  }

  private Told<Held> reserve(String node, @Nullable String id) {
    Told<Held> told = new Told<>();
    town.node(node).reserve(Town.request(id, 3, "bank", "42"), 60_000, told);
    return told;
  }

  private Told<Held> acquire(String node, @Nullable String id) {
    Told<Held> told = new Told<>();
    town.node(node).acquire(Town.request(id, 3, "slot", "42"), 60_000, told);
    return told;
  }

  @Test
  void strict_arrivesAfterItsCancel_isNotDecided() {
    town.network.next(Fault.DELAYS);
    Told<Answer> told = check("n1", "bank", /* id= */ null, 3);
    town.advanceMillis(250);
    assertFailedClosed(told);
    town.network.arrive();
    assertThat(left("bank")).isEqualTo(10);
  }

  /** The cancel comes when it is decided, and before it is known how to undo it. */
  @Test
  void r20_cancelCrossesTheDecision_isUndone() {
    town.network.next(Fault.DELAYS);
    check("n1", "bank", /* id= */ null, 3);
    byte[] question = town.network.questions.get(0);
    Delivery<?> delivery = QuestionCodec.read(question);
    byte[] cancel = new Cancel(delivery.origin(), delivery.number()).write();
    OwnerDesk desk = new OwnerDesk("n2", town.owners("n2"), town.clock);
    desk.answer(question, answer -> desk.answer(cancel, nothing -> {}));
    assertThat(left("bank")).isEqualTo(10);
  }

  @Test
  void undoing_afterItWasCancelled_happensAtOnceForFiveSeconds() {
    Undoing undoing = new Undoing();
    List<String> undone = new ArrayList<>();
    undoing.take(new Cancel(1, 1), /* nowNanos= */ 0);
    undoing.keep(new Cancel(1, 1), () -> undone.add("crossed"), Undoing.KEPT_NANOS - 1);
    undoing.keep(new Cancel(1, 2), () -> undone.add("another"), 0);
    undoing.keep(new Cancel(1, 1), () -> undone.add("late"), Undoing.KEPT_NANOS);
    assertThat(undone).containsExactly("crossed");
  }

  /** R21: a bucket gets back what has not drained meanwhile, or time would be paid twice. */
  @Test
  void strict_ofABucket_givesBackOnlyWhatHasNotDrained() {
    Told<Answer> before = check("n2", "pump", /* id= */ null, 5);
    assertThat(before.answer().allowed()).isTrue();
    town.log().hold();
    check("n1", "pump", /* id= */ null, 5);
    town.advanceMillis(250);
    town.log().keep();
    assertThat(left("pump")).isEqualTo(5);
  }

  /** R22: whoever has an id asks again, and is told what was decided. */
  @Test
  void strict_withAnId_staysAndIsAnsweredWhenRepeated() {
    town.log().hold();
    assertThat(check("n1", "bank", "id", 3).isNothing()).isTrue();
    town.advanceMillis(250);
    assertThat(town.network.asked).as("the question, and no cancel").hasSize(1);
    town.log().keep();
    assertThat(check("n1", "bank", "id", 3).answer().duplicate()).isTrue();
    assertThat(left("bank")).isEqualTo(7);
  }

  /** What was let pass is counted, whoever did it. */
  @Test
  void r20_strictAndAllowedBecauseNobodyAnswered_isNotUndone() {
    town.log().hold();
    Told<Answer> told = check("n1", "open", /* id= */ null, 3);
    town.advanceMillis(250);
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_OPEN);
    town.log().keep();
    assertThat(left("open")).isEqualTo(7);
    assertThat(town.network.asked).hasSize(1);
  }

  @Test
  void fast_answerComesTooLate_isNotCancelled() {
    town.network.next(Fault.DELAYS);
    Told<Answer> told = check("n1", "paid", /* id= */ null, 3);
    town.advanceMillis(50);
    assertFailedClosed(told);
    assertThat(town.network.asked).hasSize(1);
  }

  @Test
  void strict_answeredInTime_isNotCancelled() {
    assertThat(check("n1", "bank", /* id= */ null, 3).answer().allowed()).isTrue();
    town.advanceMillis(1_000);
    assertThat(town.network.asked).hasSize(1);
    assertThat(left("bank")).isEqualTo(7);
  }

  @Test
  void undoing_afterFiveSecondsOrTooMany_knowsNothing() {
    Undoing undoing = new Undoing();
    for (long number = 0; number <= Undoing.SIZE_MAX; number++) {
      undoing.keep(new Cancel(1, number), () -> {}, /* nowNanos= */ 0);
    }
    assertThat(undoing.take(new Cancel(1, 0), 0)).as("the oldest went").isNull();
    assertThat(undoing.take(new Cancel(2, 1), 0)).as("another origin").isNull();
    assertThat(undoing.take(new Cancel(1, 1), Undoing.KEPT_NANOS - 1)).isNotNull();
    assertThat(undoing.take(new Cancel(1, 1), 0)).as("once").isNull();
    assertThat(undoing.take(new Cancel(1, 2), Undoing.KEPT_NANOS)).isNull();
  }
}
