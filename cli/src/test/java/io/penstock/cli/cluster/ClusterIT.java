package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three real nodes: whatever happens to one of them, a strict limit holds and nothing is lost. */
@Timeout(300)
class ClusterIT {
  private static final String STRICT = "{\"limits\":[\"50/day\"],\"consistency\":\"strict\"}";

  @TempDir Path folder;
  private Nodes nodes;

  @BeforeEach
  void start() throws Exception {
    nodes = new Nodes(folder);
    nodes.startAll();
    InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 0);
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  /** Takes from any node until nothing is left; what was allowed. */
  private long exhaust(String key) {
    nodes.awaitOwner(0, key);
    long allowed = 0;
    for (int i = 0; i < 60; i++) {
      Reply reply = nodes.decided(i % Nodes.COUNT, key, 1, key + "-" + i);
      allowed += reply.isAllowed() ? 1 : 0;
    }
    return allowed;
  }

  @Test
  void checks_throughAnyNode_countAsOne() {
    assertThat(exhaust("any")).isEqualTo(50);
    for (int node = 0; node < Nodes.COUNT; node++) {
      assertThat(nodes.decided(node, "any", 1, null).isDenied()).isTrue();
    }
  }

  @Test
  void policy_putThroughOneNode_isReadAndEnforcedByAll() {
    for (int version = 2; version < 12; version++) {
      String policy = "{\"limits\":[\"" + version + "/day\"],\"consistency\":\"strict\"}";
      Reply put =
          nodes.put(version % 3, "api%2Fuser", policy, "If-Match", "\"" + (version - 1) + "\"");
      assertThat(put.status()).as(put.body()).isEqualTo(200);
      for (int node = 0; node < Nodes.COUNT; node++) {
        assertThat(nodes.get(node, "/v1/policies/api%2Fuser").body())
            .contains("\"version\":" + version);
        assertThat(nodes.decided(node, "policy" + version, 0, null).remaining()).isEqualTo(version);
      }
    }
  }

  @Test
  void owner_killedAtTheLimit_theNextOneForgetsNothing() throws Exception {
    assertThat(exhaust("kill")).isEqualTo(50);
    int owner = nodes.awaitOwner(0, "kill");
    nodes.kill(owner);
    int other = (owner + 1) % Nodes.COUNT;
    assertThat(nodes.awaitOwner(other, "kill")).isNotEqualTo(owner);
    for (int i = 0; i < 20; i++) {
      assertThat(nodes.check(other, "kill", 1, null).isAllowed()).isFalse();
    }
    assertThat(nodes.decided(other, "kill", 0, null).remaining()).isZero();
    nodes.start(owner);
    nodes.awaitReady(owner);
    assertThat(nodes.decided(owner, "kill", 1, null).isDenied()).isTrue();
  }

  @Test
  void r22_requestIdRepeatedAfterTheOwnerDied_getsTheFirstAnswer() throws Exception {
    Reply first = nodes.decided(0, "again", 1, "id-1");
    assertThat(first.remaining()).isEqualTo(49);
    int owner = nodes.awaitOwner(0, "again");
    nodes.kill(owner);
    int other = (owner + 1) % Nodes.COUNT;
    nodes.awaitOwner(other, "again");
    Reply again = nodes.decided(other, "again", 1, "id-1");
    assertThat(again.body()).contains("\"duplicate\":true").contains("\"remaining\":49");
    assertThat(nodes.decided(other, "again", 0, null).remaining()).isEqualTo(49);
  }

  @Test
  void owner_stoppedAndContinued_admitsNothingThatIsNotCounted() throws Exception {
    int owner = nodes.awaitOwner(0, "pause");
    long allowed = 0;
    for (int i = 0; i < 30; i++) {
      allowed += nodes.check(i % 3, "pause", 1, null).isAllowed() ? 1 : 0;
    }
    nodes.signal(owner, "STOP");
    int other = (owner + 1) % Nodes.COUNT;
    int next = nodes.awaitOwner(other, "pause");
    assertThat(next).isNotEqualTo(owner);
    for (int i = 0; i < 15; i++) {
      allowed += nodes.check(other, "pause", 1, null).isAllowed() ? 1 : 0;
    }
    nodes.signal(owner, "CONT");
    for (int i = 0; i < 30; i++) {
      allowed += nodes.check(i % 2 == 0 ? owner : other, "pause", 1, null).isAllowed() ? 1 : 0;
    }
    assertThat(allowed).isLessThanOrEqualTo(50);
    assertThat(nodes.decided(other, "pause", 0, null).remaining())
        .isLessThanOrEqualTo(50 - allowed);
  }

  @Test
  void allNodes_restartedOneByOne_keepACounterAtItsLimit() throws Exception {
    assertThat(exhaust("rolling")).isEqualTo(50);
    for (int node = 0; node < Nodes.COUNT; node++) {
      nodes.end(node);
      nodes.start(node);
      nodes.awaitReady(node);
      nodes.awaitOwner((node + 1) % Nodes.COUNT, "rolling");
      for (int asked = 0; asked < Nodes.COUNT; asked++) {
        assertThat(nodes.check(asked, "rolling", 1, null).isAllowed()).isFalse();
      }
    }
    assertThat(nodes.decided(0, "rolling", 0, null).remaining()).isZero();
    assertThat(nodes.errors()).isEmpty();
  }

  @Test
  void twoOfThree_killed_answersByTheFailModeAndSaysWhy() throws Exception {
    assertThat(
            nodes.put(0, "api%2Fopen", "{\"limits\":[\"50/day\"]}", "If-None-Match", "*").status())
        .isEqualTo(201);
    int owner = nodes.awaitOwner(0, "alone");
    int last = (owner + 1) % Nodes.COUNT;
    nodes.kill(owner);
    nodes.kill((owner + 2) % Nodes.COUNT);

    Reply closed = nodes.check(last, "alone", 1, null);
    assertThat(closed.body()).contains("\"allowed\":false").contains("\"reason\":\"fail-closed\"");
    assertThat(nodes.put(last, "api%2Fnew", STRICT, "If-None-Match", "*").status()).isEqualTo(503);
    Reply read = nodes.get(last, "/v1/policies/api%2Fuser");
    assertThat(read.status()).isEqualTo(503);
    assertThat(read.body()).contains("policies: not read");
    nodes.awaitHealth(last, "nothing is decided");

    nodes.start(owner);
    nodes.awaitReady(owner);
    nodes.awaitOwner(last, "alone");
    assertThat(nodes.decided(last, "alone", 1, "alone").isAllowed()).isTrue();
  }
}
