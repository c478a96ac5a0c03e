package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** R19: a real node joins three others, gets its share, and is removed; so is a founder. */
@Tag("once")
@Timeout(400)
class JoinIT {
  private static final String STRICT =
      "{\"limits\":[\"" + Load.CAPACITY + "/day\"],\"consistency\":\"strict\"}";
  private static final int KEYS = 40;
  private static final int FOUNDER = 2;
  private static final int JOINING = 3;

  @TempDir Path folder;

  private static void join(Nodes nodes, int node) throws IOException {
    nodes.start(node);
    nodes.awaitHealth(node, "penstock cluster add " + nodes.peer(node));
    String body = "{\"node\":\"" + nodes.peer(node) + "\"}";
    Nodes.until(() -> nodes.post(0, "/v1/cluster/add", body), reply -> reply.status() == 200);
    nodes.awaitReady(node);
  }

  private static void remove(Nodes nodes, int node) throws Exception {
    String body = "{\"node\":\"" + Nodes.name(node) + "\"}";
    Nodes.until(() -> nodes.post(0, "/v1/cluster/remove", body), reply -> reply.status() == 200);
    nodes.awaitHealth(node, "removed from cluster");
    nodes.kill(node);
  }

  private static void assertFull(Nodes nodes, int... asked) {
    for (int i = 0; i < KEYS; i++) {
      int node = asked[i % asked.length];
      Reply denied = nodes.decided(node, "full" + i, 1, /* requestId= */ null);
      assertThat(denied.isDenied()).as("full%d at %d: %s", i, node, denied).isTrue();
    }
  }

  @Test
  void r19_nodesThatComeAndGo_leaveEqualSharesUnderLoad() throws Exception {
    long seed = Long.getLong("seed", 19);
    try (Nodes nodes = new Nodes(folder)) {
      nodes.startAll();
      InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 0);
      for (int i = 0; i < KEYS; i++) {
        assertThat(nodes.decided(i % 3, "full" + i, Load.CAPACITY, "all" + i).isAllowed()).isTrue();
      }
      Load load = new Load(nodes, seed);
      try (load) {
        join(nodes, JOINING);
        Shares.awaitEqual(nodes, "n1", "n2", "n3", "n4");
        assertFull(nodes, 0, 1, 2, JOINING);

        remove(nodes, JOINING);
        Shares.awaitEqual(nodes, "n1", "n2", "n3");
        assertFull(nodes, 0, 1, 2);
        remove(nodes, FOUNDER);
        Shares.awaitEqual(nodes, "n1", "n2");
        assertFull(nodes, 0, 1);

        nodes.wipe(JOINING);
        join(nodes, JOINING);
        Shares.awaitEqual(nodes, "n1", "n2", "n4");
        nodes.wipe(FOUNDER);
        join(nodes, FOUNDER);
        Shares.awaitEqual(nodes, "n1", "n2", "n3", "n4");
      }
      assertFull(nodes, 0, 1, FOUNDER, JOINING);
      assertThat(nodes.get(JOINING, "/v1/cluster").body())
          .contains("\"shards-3\"")
          .doesNotContain("\"shards-4\"");
      for (int i = 0; i < KEYS; i++) {
        Reply again = nodes.decided(i % 4, "full" + i, Load.CAPACITY, "all" + i);
        assertThat(again.body()).contains("\"duplicate\":true");
      }
      assertThat(Checker.problems(load.history(), Load.CAPACITY, load.used()))
          .as("seed " + seed)
          .isEmpty();
      assertThat(nodes.errors()).isEmpty();
    }
  }
}
