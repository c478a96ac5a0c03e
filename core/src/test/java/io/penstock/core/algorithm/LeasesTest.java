package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.laws.PureKey;
import org.junit.jupiter.api.Test;

/** Leases at the instants where they begin, end, and begin anew. */
class LeasesTest {
  private static final long NOW = 1_773_145_800_000_000_000L;
  private static final Concurrency CONCURRENCY = new Concurrency();
  private static final Limit THREE = Limit.parse("3 concurrent lease 10ms");
  private static final long LEASE = 10_000_000;

  private final Step step = new Step();

  private long take(long now, long cost) {
    CONCURRENCY.decide(step, THREE, now, cost);
    assertThat(step.allowed()).isTrue();
    return step.ticket();
  }

  private Step ask(Limit limit, long now, long cost) {
    Step copy = new Step();
    for (int i = 0; i < step.log().size(); i++) {
      copy.log().append(step.log().time(i), step.log().amount(i));
    }
    copy.until = step.until;
    copy.x = step.x;
    CONCURRENCY.decide(copy, limit, now, cost);
    return copy;
  }

  private long left(long now) {
    return ask(THREE, now, 0).remaining();
  }

  @Test
  void renew_lastNanosecond_startsTheLeaseAnew() {
    long ticket = take(NOW, 1);
    assertThat(Concurrency.renew(step, THREE, NOW + LEASE - 1, ticket)).isTrue();
    assertThat(step.until).isEqualTo(NOW + 2 * LEASE - 1);
    assertThat(left(NOW + 2 * LEASE - 2)).isEqualTo(2);
    assertThat(left(NOW + 2 * LEASE - 1)).isEqualTo(3);
  }

  @Test
  void renew_ended_saysSoAndChangesNothing() {
    long ticket = take(NOW, 1);
    take(NOW + 1, 1);
    assertThat(Concurrency.renew(step, THREE, NOW + LEASE, ticket)).isFalse();
    assertThat(step.until).isEqualTo(NOW + 1 + LEASE);
    assertThat(left(NOW + LEASE)).isEqualTo(2);
  }

  @Test
  void renew_nameOfNobody_saysSo() {
    long ticket = take(NOW, 1);
    assertThat(Concurrency.renew(step, THREE, NOW, ticket + (1L << Leases.COST_BITS))).isFalse();
  }

  @Test
  void renew_first_putsItBehindTheOthers() {
    long first = take(NOW, 1);
    long second = take(NOW + 1, 1);
    long third = take(NOW + 2, 1);
    assertThat(Concurrency.renew(step, THREE, NOW + 5, first)).isTrue();
    assertThat(step.log().size()).isEqualTo(3);
    assertThat(step.log().amount(0)).isEqualTo(second);
    assertThat(step.log().time(0)).isEqualTo(NOW + 1 + LEASE);
    assertThat(step.log().amount(1)).isEqualTo(third);
    assertThat(step.log().amount(2)).isEqualTo(first);
    assertThat(step.log().time(2)).isEqualTo(NOW + 5 + LEASE);
    assertThat(ask(THREE, NOW + 5, 1).retryAfterNanos()).isEqualTo(LEASE - 4);
  }

  @Test
  void renew_shorterLease_keepsTheLatestEnd() {
    take(NOW, 1);
    Limit shorter = Limit.parse("3 concurrent lease 1ms");
    CONCURRENCY.decide(step, shorter, NOW, 1);
    assertThat(step.until).as("the first lease ends last").isEqualTo(NOW + LEASE);
    Concurrency.renew(step, shorter, NOW + 1, step.ticket());
    assertThat(step.until).isEqualTo(NOW + LEASE);
  }

  @Test
  void decide_leasesOfSeveralLengths_waitsForThoseThatEndFirst() {
    take(NOW, 1);
    CONCURRENCY.decide(step, Limit.parse("3 concurrent lease 4ms"), NOW, 1);
    CONCURRENCY.decide(step, Limit.parse("3 concurrent lease 7ms"), NOW, 1);
    assertThat(ask(THREE, NOW, 1).retryAfterNanos()).isEqualTo(4_000_000);
    assertThat(ask(THREE, NOW, 2).retryAfterNanos()).isEqualTo(7_000_000);
    assertThat(ask(THREE, NOW, 3).retryAfterNanos()).isEqualTo(LEASE);
    assertThat(ask(THREE, NOW, 4).never()).isTrue();
  }

  @Test
  void decide_leasesOfOneLength_waitsForTheOldest() {
    take(NOW, 2);
    take(NOW + 3, 1);
    assertThat(ask(THREE, NOW + 3, 2).retryAfterNanos()).isEqualTo(LEASE - 3);
    assertThat(ask(THREE, NOW + 3, 3).retryAfterNanos()).isEqualTo(LEASE);
    assertThat(ask(THREE, NOW + LEASE, 3).retryAfterNanos())
        .as("the first has ended, but is still in the log")
        .isEqualTo(3);
  }

  @Test
  void giveBack_partOfALease_keepsTheRestHeld() {
    long ticket = take(NOW, 3);
    CONCURRENCY.giveBack(step, THREE, NOW, 2, ticket);
    assertThat(left(NOW)).isEqualTo(2);
    CONCURRENCY.giveBack(step, THREE, NOW, 1, ticket);
    assertThat(left(NOW)).isEqualTo(3);
    assertThat(step.log().size()).isZero();
  }

  @Test
  void giveBack_withoutTicket_comesOutOfTheNewest() {
    long first = take(NOW, 1);
    take(NOW + 1, 2);
    CONCURRENCY.giveBack(step, THREE, NOW + 1, 2, /* ticket= */ 0);
    assertThat(step.log().size()).isEqualTo(1);
    assertThat(step.log().amount(0)).isEqualTo(first);
  }

  @Test
  void giveBack_lastNanosecondOrEnded_freesOrChangesNothing() {
    long ticket = take(NOW, 3);
    CONCURRENCY.giveBack(step, THREE, NOW + LEASE, 3, ticket);
    assertThat(step.log().size()).isEqualTo(1);
    CONCURRENCY.giveBack(step, THREE, NOW + LEASE - 1, 3, ticket);
    assertThat(step.log().size()).isZero();
  }

  @Test
  void giveBack_lastLease_theKeyIsIdleOnceItsNamesAreOver() {
    long first = take(NOW, 1);
    long second = take(NOW, 1);
    CONCURRENCY.giveBack(step, THREE, NOW, 1, second);
    assertThat(step.until).as("the first is still held").isEqualTo(NOW + LEASE);
    CONCURRENCY.giveBack(step, THREE, NOW, 1, first);
    assertThat(step.until)
        .as("the second has the name of a microsecond more")
        .isEqualTo(NOW + 2_000);
    long third = take(NOW + 1_999, 1);
    assertThat(third >>> Leases.COST_BITS).isEqualTo((second >>> Leases.COST_BITS) + 1);
    CONCURRENCY.giveBack(step, THREE, NOW + 9_000, 1, third);
    assertThat(step.until).as("now").isEqualTo(NOW + 9_000);
  }

  @Test
  void giveBack_nothing_leavesTheStateAsItIs() {
    long ticket = take(NOW, 1);
    CONCURRENCY.giveBack(step, THREE, NOW + 1, 1, ticket + (1L << Leases.COST_BITS));
    assertThat(step.until).isEqualTo(NOW + LEASE);
    CONCURRENCY.giveBack(step, THREE, NOW + LEASE, 1, ticket);
    assertThat(step.until).isEqualTo(NOW + LEASE);
  }

  @Test
  void giveBack_besideALeaseThatWasRenewed_lastsAsLongAsThatOne() {
    long first = take(NOW, 1);
    long second = take(NOW + 1, 1);
    Concurrency.renew(step, THREE, NOW + 5, first);
    CONCURRENCY.giveBack(step, THREE, NOW + 6, 1, second);
    assertThat(step.until).isEqualTo(NOW + 5 + LEASE);
    assertThat(Concurrency.renew(step, THREE, NOW + 7, first)).isTrue();
    assertThat(step.until).isEqualTo(NOW + 7 + LEASE);
  }

  @Test
  void giveBack_leaseWithoutAName_isIdleAtOnce() {
    step.used(/* whole= */ 2, /* part= */ 0, /* of= */ 1);
    CONCURRENCY.carry(step, THREE, NOW);
    CONCURRENCY.giveBack(step, THREE, NOW + 1, 2, /* ticket= */ 0);
    assertThat(step.until).isEqualTo(NOW + 1);
  }

  /** More leases than microseconds have gone by: their names lie ahead of the clock. */
  @Test
  void decide_leaseShorterThanItsNameIsAhead_isNotForgottenBefore() {
    Limit shortLeases = Limit.parse("3000 concurrent lease 1ms");
    for (int i = 0; i < 3_000; i++) {
      CONCURRENCY.decide(step, shortLeases, NOW, 1);
    }
    assertThat(step.resetAfterNanos()).isEqualTo(1_000_000);
    assertThat(step.until).isEqualTo(NOW + 3_000_000);
  }

  @Test
  void ticket_hugeCharge_holdsAsMuchAsALeaseCan() {
    assertThat(Leases.cost(Leases.ticket(/* name= */ 5, Leases.COST_MAX + 1)))
        .isEqualTo(Leases.COST_MAX);
    assertThat(Concurrency.countMax()).isEqualTo(16_777_215);
  }

  @Test
  void decide_names_areTheMicrosecondOrOneMoreThanTheLatest() {
    long name = take(NOW, 1) >>> Leases.COST_BITS;
    assertThat(name).isEqualTo((NOW / 1_000) & ((1L << 39) - 1));
    assertThat(take(NOW, 1) >>> Leases.COST_BITS).isEqualTo(name + 1);
    assertThat(take(NOW + 5_000, 1) >>> Leases.COST_BITS).isEqualTo(name + 5);
  }

  @Test
  void decide_leasesThatHaveEnded_leaveTheLog() {
    PureKey key = new PureKey(CONCURRENCY, THREE);
    key.take(NOW, 1);
    key.take(NOW + 1, 1);
    long third = key.take(NOW + LEASE, 1).ticket();
    assertThat(key.state())
        .endsWith(" (%d %d)".formatted(NOW + 2 * LEASE, third))
        .contains("(" + (NOW + 1 + LEASE) + " ")
        .doesNotContain("(" + (NOW + LEASE) + " ");
  }

  @Test
  void carry_usedUnits_areOneLeaseWithoutAName() {
    step.used(/* whole= */ 1, /* part= */ 1, /* of= */ 2);
    CONCURRENCY.carry(step, THREE, NOW);
    assertThat(left(NOW + LEASE - 1)).isEqualTo(1);
    assertThat(left(NOW + LEASE)).isEqualTo(3);
    step.used(/* whole= */ 0, /* part= */ 0, /* of= */ 1);
    step.x = 7;
    CONCURRENCY.carry(step, THREE, NOW);
    assertThat(step.until).isZero();
    assertThat(step.x).isZero();
    assertThat(step.log().size()).isZero();
  }

  /** They are held by nobody, so their lease needs no name. */
  @Test
  void carry_moreThanALeaseWithANameHolds_comesBackAsItWas() {
    for (long used : new long[] {1, Leases.COST_MAX, Leases.COST_MAX + 1, 1L << 61}) {
      step.used(used, /* part= */ 0, /* of= */ 1);
      step.clear();
      CONCURRENCY.carry(step, THREE, NOW);
      CONCURRENCY.giveBack(step, THREE, NOW, /* cost= */ 1, CONCURRENCY.carried(THREE, NOW));
      CONCURRENCY.used(step, THREE, NOW + 1);
      assertThat(step.usedCeil()).isEqualTo(used - 1);
      step.log().clear();
    }
  }
}
