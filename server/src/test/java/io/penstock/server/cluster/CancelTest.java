package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.cluster.Network.Fault;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Why;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
  void strict_arrivesAfterItsCancel_isNotDecided() {
    town.network.next(Fault.DELAYS);
    Told<Answer> told = check("n1", "bank", /* id= */ null, 3);
    town.advanceMillis(250);
    assertFailedClosed(told);
    town.network.arrive();
    assertThat(left("bank")).isEqualTo(10);
  }

  /** R21: a bucket gets back what has not drained meanwhile, or time would be paid twice. */
  @Test
  void strict_ofABucket_givesBackOnlyWhatHasNotDrained() {
    town.log().hold();
    check("n2", "pump", /* id= */ null, 5);
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
