package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Network.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
  private final Town town =
      new Town()
          .policy("api/user", "{\"limits\":[\"10/min\"],\"failMode\":\"closed\"}")
          .policy("api/ip", "{\"limits\":[\"10/min\"],\"failMode\":\"open\"}")
          .own("n2");
  private final Tally tally = town.node("n1").tally();

  @Test
  void forwarded_checkOfAnotherOwner_isCountedWhereItCameIn() {
    town.check("n1", Town.user(null, 1));
    town.check("n2", Town.user(null, 1));
    assertThat(tally.forwarded()).isEqualTo(1);
    assertThat(tally.failures()).isZero();
    assertThat(town.node("n2").tally().forwarded()).isZero();
  }

  @Test
  void failures_lostOrGarbledAnswers_areCounted() {
    town.network.next(Fault.LOSES_ANSWER, Fault.REFUSES, Fault.GARBLES);
    for (int i = 0; i < 4; i++) {
      town.check("n1", Town.user(null, 1));
    }
    assertThat(tally.forwarded()).isEqualTo(4);
    assertThat(tally.failures()).isEqualTo(3);
  }

  @Test
  void failAnswers_withoutAnOwner_areCountedByReason() {
    town.lose();
    town.check("n1", Town.user(null, 1));
    town.check("n1", Town.request(null, 1, "ip", "10.0.0.1"));
    town.check("n1", Town.request(null, 1, "none", "1"));
    town.node("n1").reset("api", List.of(Descriptor.of("user", "42")), new Town.Told<>());
    town.advanceMillis(250);
    assertThat(tally.reasons())
        .containsExactly("fail-closed", "fail-local", "fail-open", "unavailable");
    assertThat(tally.reasons().stream().map(tally::failAnswers)).containsExactly(1L, 0L, 1L, 1L);
  }
}
