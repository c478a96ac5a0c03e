package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real nodes come, go and lose their disks; a counter at its limit stays there. */
@Tag("once")
@Timeout(300)
class MembersIT {
  private static final String STRICT = "{\"limits\":[\"50/day\"],\"consistency\":\"strict\"}";

  @TempDir Path folder;
  private Nodes nodes;
  private final Console console = new Console();

  @BeforeEach
  void begin() {
    nodes = new Nodes(folder);
  }

  private void start() throws Exception {
    nodes.startAll();
    InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 0);
    assertThat(nodes.decided(0, "full", 50, "all").isAllowed()).isTrue();
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  private int run(int node, String... arguments) {
    return console.run(nodes.url(node), arguments);
  }

  private void assertFull(int asked) {
    Reply reply = nodes.decided(asked, "full", 1, /* requestId= */ null);
    assertThat(reply.isDenied()).as(reply.body()).isTrue();
  }

  @Test
  void r24_ownerWiped_comesBackAndForgetsNothing() throws Exception {
    start();
    int wiped = nodes.awaitOwner(0, "full");
    nodes.kill(wiped);
    nodes.wipe(wiped);
    nodes.start(wiped);
    nodes.awaitReady(wiped);
    assertThat(nodes.get(wiped, "/healthz").body()).doesNotContain("not in cluster");
    assertFull(wiped);
    nodes.kill((wiped + 1) % 3);
    assertFull(wiped);
    assertFull((wiped + 2) % 3);
  }

  @Test
  void r24_twoOfThreeWiped_decideNothingAndSayWhatToDo() throws Exception {
    start();
    int kept = nodes.awaitOwner(0, "full");
    for (int lost = 0; lost < 3; lost++) {
      if (lost != kept) {
        nodes.kill(lost);
        nodes.wipe(lost);
        nodes.start(lost);
      }
    }
    for (int lost = 0; lost < 3; lost++) {
      if (lost != kept) {
        nodes.awaitHealth(lost, "start them on the data that they had");
        assertThat(nodes.get(lost, "/readyz").status()).isEqualTo(503);
      }
    }
    nodes.awaitHealth(kept, "without them nothing is decided: start them on the data they had");
    Reply reply = nodes.check(kept, "fresh", 1, /* requestId= */ null);
    assertThat(reply.body()).contains("\"allowed\":false").contains("\"reason\":\"fail-closed\"");
    assertThat(nodes.put(kept, "api%2Fnew", STRICT, "If-None-Match", "*").status())
        .isNotEqualTo(201);
  }

  @Test
  void fourthAdded_thenTheOwnerRemoved_nothingIsForgotten() throws Exception {
    start();
    nodes.start(3);
    nodes.awaitHealth(3, "penstock cluster add " + nodes.peer(3));
    assertThat(run(1, "cluster", "add", nodes.peer(3))).as(console.printed()).isZero();
    assertThat(console.printed()).isEqualTo("the nodes are n1, n2, n3, n4\n");
    nodes.awaitReady(3);
    for (int node = 0; node < 4; node++) {
      assertThat(nodes.get(node, "/v1/shards").body()).contains("[\"n1\",\"n2\",\"n3\",\"n4\"]");
      assertThat(nodes.get(node, "/v1/cluster").body()).contains("{\"node\":\"n4\",\"reachable\"");
      assertFull(node);
    }

    int owner = nodes.awaitOwner(0, "full");
    int other = (owner + 1) % 4;
    assertThat(run(other, "cluster", "remove", Nodes.name(owner))).as(console.printed()).isZero();
    nodes.awaitHealth(owner, "removed from cluster");
    assertThat(nodes.get(owner, "/readyz").status()).isEqualTo(503);
    assertThat(nodes.check(owner, "fresh", 1, null).isStrict()).isFalse();
    for (int node = 0; node < 4; node++) {
      if (node != owner) {
        assertFull(node);
        assertThat(nodes.get(node, "/v1/shards").body()).doesNotContain(Nodes.name(owner));
      }
    }
    nodes.kill(owner);
    nodes.kill((owner + 2) % 4);
    assertFull(other);
    assertThat(run(other, "cluster", "remove", Nodes.name((owner + 3) % 4))).isEqualTo(3);
    assertThat(console.printed()).contains("(expected: most of those that would be in");
  }

  @Test
  void fiveNodes_twoKilledAndRemoved_forgetNothingAndShareAll() throws Exception {
    nodes = new Nodes(folder, 5);
    start();
    int owner = nodes.awaitOwner(0, "full");
    int other = (owner + 1) % 5;
    int[] alive = IntStream.range(2, 5).map(each -> (owner + each) % 5).toArray();
    nodes.kill(owner);
    nodes.kill(other);
    IntStream.of(alive).forEach(this::assertFull);
    for (int killed : List.of(owner, other)) {
      assertThat(run(alive[0], "cluster", "remove", Nodes.name(killed)))
          .as(console.printed())
          .isZero();
    }
    assertFull(alive[1]);
    Shares.awaitEqual(nodes, IntStream.of(alive).mapToObj(Nodes::name).toArray(String[]::new));
    IntStream.of(alive).forEach(this::assertFull);
  }
}
