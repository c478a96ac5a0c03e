package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** R19: a real node joins three others, gets its share, and is removed; so is a founder. */
@Tag("once")
@Timeout(400)
class JoinIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STRICT =
      "{\"limits\":[\"" + Load.CAPACITY + "/day\"],\"consistency\":\"strict\"}";
  private static final int KEYS = 40;
  private static final int FOUNDER = 2;
  private static final int JOINING = 3;
  private static final int SHARDS = 256;

  @TempDir Path folder;

  /** How many shards each node owns, as one of them knows it. */
  private static Map<String, Integer> owned(Reply shards) {
    Map<String, Integer> owned = new TreeMap<>();
    try {
      for (JsonNode shard : JSON.readTree(shards.body()).path("shards")) {
        owned.merge(shard.path("owner").asText(), 1, Integer::sum);
      }
      return owned;
    } catch (IOException e) {
      return owned;
    }
  }

  /** Whether each of these has as many as the others, as far as that can be. */
  private static boolean isShared(Reply shards, String... names) {
    Map<String, Integer> owned = owned(shards);
    int share = SHARDS / names.length;
    return owned.keySet().equals(Set.of(names))
        && owned.values().stream().allMatch(size -> size == share || size == share + 1);
  }

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

  /** Within the minute that is waited for anything. */
  private static void awaitShared(Nodes nodes, String... names) {
    for (String name : names) {
      int node = Integer.parseInt(name.substring(1)) - 1;
      Nodes.until(() -> nodes.get(node, "/v1/shards"), reply -> isShared(reply, names));
    }
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
      assertThat(nodes.put(0, "api%2Fuser", STRICT, "If-None-Match", "*").status()).isEqualTo(201);
      for (int i = 0; i < KEYS; i++) {
        assertThat(nodes.decided(i % 3, "full" + i, Load.CAPACITY, "all" + i).isAllowed()).isTrue();
      }
      Load load = new Load(nodes, seed);
      try (load) {
        join(nodes, JOINING);
        awaitShared(nodes, "n1", "n2", "n3", "n4");
        assertFull(nodes, 0, 1, 2, JOINING);

        remove(nodes, JOINING);
        awaitShared(nodes, "n1", "n2", "n3");
        assertFull(nodes, 0, 1, 2);
        remove(nodes, FOUNDER);
        awaitShared(nodes, "n1", "n2");
        assertFull(nodes, 0, 1);

        nodes.wipe(JOINING);
        join(nodes, JOINING);
        awaitShared(nodes, "n1", "n2", "n4");
        nodes.wipe(FOUNDER);
        join(nodes, FOUNDER);
        awaitShared(nodes, "n1", "n2", "n3", "n4");
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
