package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.server.cluster.Network.Fault;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.HoldingId;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.node.Why;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** R21, R22: what a denied check took elsewhere is taken back, whoever owns by then. */
class TakeBackTest extends ThreeOwners {
  private final HoldingId first = new HoldingId(1, 11);
  private final HoldingId second = new HoldingId(2, 22);

  /** The node that owns the bank. */
  private LocalNode owner() {
    return Objects.requireNonNull(town.ownership("n1").now().local());
  }

  private Told<Answer> take(HoldingId id, @Nullable String requestId) {
    Told<Answer> told = new Told<>();
    owner().checkPart(request(requestId, 3, bank), id, told);
    return told;
  }

  private void takeBack(HoldingId id) {
    CheckRequest look = request(/* id= */ null, 0, bank);
    owner().takeBack(id, look, new Told<>());
  }

  @Test
  void r21_ownerDiesBeforeItHearsOfTheDenial_nextOwnerGivesBack() {
    check("n1", /* id= */ null, gate);
    town.network.next(Fault.NONE, Fault.NONE, Fault.DELAYS);
    Told<Answer> told = check("n3", /* id= */ null, bank, pump, gate);
    assertThat(told.isNothing()).isTrue();
    town.lose(0);
    town.advanceMillis(250);
    assertThat(told.answer().allowed()).isFalse();
    assertThat(told.answer().why()).isEqualTo(Why.LIMITED);
    town.advanceMillis(1_000);
    town.own(0, "n2");
    assertThat(left(bank)).isEqualTo(10);
  }

  /** The denial is told when what was taken is known to be given back. */
  @Test
  void r21_denied_isToldAfterWhatWasTakenIsKeptAsGivenBack() {
    check("n1", /* id= */ null, gate);
    town.network.next(Fault.NONE, Fault.NONE, Fault.DELAYS);
    Told<Answer> told = check("n3", /* id= */ null, bank, pump, gate);
    town.log(0).hold();
    town.network.arrive();
    assertThat(told.isNothing()).isTrue();
    town.log(0).keep();
    assertThat(told.answer().allowed()).isFalse();
    assertThat(left(bank)).isEqualTo(10);
  }

  @Test
  void r21_takenBackBeforeItComes_isRefused() {
    takeBack(first);
    assertThatThrownBy(() -> take(first, /* requestId= */ null))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("part: taken back (expected: one that still counts)");
    assertThat(left(bank)).isEqualTo(10);
  }

  @Test
  void r21_limitThatCameWithTheCheck_isGivenBackToItsOwnCounter() {
    owner().checkPart(given(3), first, new Told<>());
    owner().checkPart(given(2), second, new Told<>());
    takeBack(first);
    assertThat(town.check("n1", given(0)).answer().remaining()).isEqualTo(7);
    assertThat(left(bank)).isEqualTo(10);
  }

  private CheckRequest given(long cost) {
    Asked asked = new Asked(bank, cost, Limit.parse("9/hour"));
    return new CheckRequest("api", List.of(asked), /* requestId= */ null, /* mayRefund= */ false);
  }

  @Test
  void r21_takenBackTwice_givesBackOnce() {
    take(second, /* requestId= */ null);
    take(first, /* requestId= */ null);
    takeBack(first);
    takeBack(first);
    assertThat(left(bank)).isEqualTo(7);
  }

  @Test
  void r21_takenBackAfterFiveSeconds_staysTaken() {
    take(first, /* requestId= */ null);
    take(second, /* requestId= */ null);
    town.advanceMillis(4_999);
    takeBack(second);
    assertThat(left(bank)).isEqualTo(7);
    town.advanceMillis(1);
    takeBack(first);
    assertThat(left(bank)).isEqualTo(7);
  }

  /** The right to take it back goes to the attempt that is answered last. */
  @Test
  void r22_repeatedByALaterAttempt_onlyThatOneTakesItBack() {
    take(first, "id");
    assertThat(take(second, "id").answer().duplicate()).isTrue();
    takeBack(first);
    assertThat(left(bank)).isEqualTo(7);
    assertThat(take(second, "id").answer().duplicate()).isTrue();
    takeBack(second);
    assertThat(left(bank)).isEqualTo(10);
    assertThat(take(new HoldingId(3, 33), "id").answer().duplicate()).isFalse();
  }

  @Test
  void r22_attemptGivenUpWhileAnotherIsAnswered_staysTaken() {
    town.log(0).hold();
    Told<Answer> given = check("n3", "id", bank, pump);
    town.advanceMillis(240);
    Told<Answer> later = check("n2", "id", bank, pump);
    town.advanceMillis(10);
    assertThat(given.answer().why()).isEqualTo(Why.FAIL_CLOSED);
    town.log(0).keep();
    assertThat(later.answer().allowed()).isTrue();
    assertThat(left(bank)).isEqualTo(9);
  }
}
