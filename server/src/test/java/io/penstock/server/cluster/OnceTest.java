package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.cluster.Network.Fault;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.Settled;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.node.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is decided twice, whatever becomes of questions and answers on their way (R4, R22). */
class OnceTest {
  private static final String FAILS_CLOSED = "{\"limits\":[\"1000/day\"],\"failMode\":\"closed\"}";
  private static final String STRICT = "{\"limits\":[\"1000/day\"],\"consistency\":\"strict\"}";

  private static Town town() {
    return new Town().policy("api/user", FAILS_CLOSED).own("n2");
  }

  private final Town town = town();

  @ParameterizedTest
  @EnumSource(names = {"LOSES_QUESTION", "LOSES_ANSWER", "REFUSES", "GARBLES"})
  void check_withoutId_isNotAskedAgain(Fault fault) {
    town.network.next(fault);
    assertThat(town.check("n1", Town.user(null, 1)).answer().why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(town.network.asked).hasSize(1);
    boolean decided = fault == Fault.LOSES_ANSWER || fault == Fault.GARBLES;
    assertThat(town.left("n2")).isEqualTo(decided ? 999 : 1000);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOSES_QUESTION", "LOSES_ANSWER", "REFUSES"})
  void check_withId_isAskedAgainAndGetsTheFirstAnswer(Fault fault) {
    town.network.next(fault);
    Answer answer = town.check("n1", Town.user("id", 1)).answer();
    assertThat(answer.allowed()).isTrue();
    assertThat(answer.remaining()).isEqualTo(999);
    assertThat(answer.duplicate()).isEqualTo(fault == Fault.LOSES_ANSWER);
    assertThat(town.network.asked).hasSize(2);
    assertThat(town.left("n2")).isEqualTo(999);
  }

  @Test
  void check_withIdLinkStaysLost_waitsForTheNextOwner() {
    town.network.next(Fault.LOSES_ANSWER, Fault.LOSES_ANSWER);
    Told<Answer> told = town.check("n1", Town.user("id", 1));
    assertThat(town.network.asked).as("no storm").hasSize(2);
    assertThat(told.isNothing()).isTrue();
    town.own("n3");
    assertThat(told.answer().duplicate()).isTrue();
    assertThat(told.answer().decidedBy()).startsWith("n3 ");
    assertThat(town.left("n3")).isEqualTo(999);
  }

  @Test
  void question_doubledOnItsWay_isDecidedOnce() {
    town.network.next(Fault.DOUBLES, Fault.DOUBLES);
    assertThat(town.check("n1", Town.user(null, 1)).answer().remaining()).isEqualTo(999);
    assertThat(town.check("n1", Town.user("id", 1)).answer().duplicate()).isFalse();
    assertThat(town.left("n2")).isEqualTo(998);
  }

  /** R4: an answer that was not kept is unknown. */
  @Test
  void strict_ownershipEndsWithoutId_isNeverAllowed() {
    town.policy("api/user", STRICT).log().hold();
    Told<Answer> told = town.check("n1", Town.user(null, 1));
    Told<Answer> atOwner = town.check("n2", Town.user(null, 1));
    town.lose();
    for (Told<Answer> each : List.of(told, atOwner)) {
      assertThat(each.answer().allowed()).isFalse();
      assertThat(each.answer().why()).isEqualTo(Why.FAIL_CLOSED);
    }
    assertThat(town.network.asked).hasSize(1);
  }

  @Test
  void strict_ownershipEndsWithId_getsItsFirstAnswerFromTheNextOwner() {
    town.policy("api/user", STRICT).log().hold();
    Told<Answer> told = town.check("n1", Town.user("one", 1));
    Told<Answer> atOwner = town.check("n2", Town.user("two", 1));
    town.lose();
    assertThat(told.isNothing()).isTrue();
    assertThat(atOwner.isNothing()).isTrue();
    town.advanceMillis(200);
    town.own("n3");
    for (Told<Answer> each : List.of(told, atOwner)) {
      assertThat(each.answer().allowed()).isTrue();
      assertThat(each.answer().duplicate()).isTrue();
      assertThat(each.answer().durability()).isEqualTo(Durability.STRICT);
      assertThat(each.answer().decidedBy()).startsWith("n3 ");
    }
    assertThat(town.left("n3")).isEqualTo(998);
  }

  @Test
  void settle_answerLost_isSettledOnceByItsId() {
    Told<Held> held = new Told<>();
    town.node("n1").reserve(Town.user(null, 10), 60_000, held);
    town.network.next(Fault.LOSES_ANSWER);
    Told<Settled> settled = new Told<>();
    town.node("n1").commit(String.valueOf(held.answer().id()), 4, settled);
    assertThat(settled.answer()).isEqualTo(Settled.DONE);
    assertThat(town.left("n2")).isEqualTo(996);
  }

  @Test
  void order_answerLost_isNotGivenAgain() {
    town.network.next(Fault.LOSES_ANSWER);
    Told<Durability> told = new Told<>();
    town.node("n1").reset("api", List.of(Town.user(null, 1).asked().get(0).descriptor()), told);
    assertThat(told.failure())
        .isInstanceOf(UnavailableException.class)
        .hasMessage("n2: lost (expected: an answer)");
    assertThat(town.network.asked).hasSize(1);
  }

  /** Each check is decided at most once, and each that is told as decided exactly once. */
  @Property(tries = 100)
  void checks_anyFaultsAndOwners_areDecidedAtMostOnce(@ForAll long seed) {
    Random random = new Random(seed);
    Town any = town();
    String owner = "n2";
    List<Told<Answer>> told = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Fault[] faults = Fault.values();
      any.network.next(faults[random.nextInt(faults.length)]);
      String id = random.nextBoolean() ? "id" + i : null;
      told.add(any.check(Town.NAMES.get(random.nextInt(3)), Town.user(id, 1)));
      if (random.nextInt(8) == 0) {
        any.lose();
        owner = Town.NAMES.get(random.nextInt(3));
        any.own(owner);
      }
      if (random.nextInt(4) == 0) {
        any.network.arrive();
      }
    }
    any.advanceMillis(50);
    any.network.arrive();
    long decided = told.stream().filter(each -> each.answer().why() == Why.OK).count();
    long used = 1000 - any.left(owner);
    assertThat(used).isBetween(decided, 60L);
  }
}
