package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** R19: a real node joins three others that decide, and gets its share. */
@Tag("once")
@Timeout(400)
class JoinIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STRICT =
      "{\"limits\":[\"" + Load.CAPACITY + "/day\"],\"consistency\":\"strict\"}";
  private static final int KEYS = 40;
  private static final int JOINING = 3;
  private static final int SHARE = 64;

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

  private static Map<String, Integer> sharedBy(String... names) {
    Map<String, Integer> even = new TreeMap<>();
    for (String name : names) {
      even.put(name, SHARE);
    }
    return even;
  }

  private static void join(Nodes nodes) throws IOException {
    nodes.start(JOINING);
    nodes.awaitHealth(JOINING, "penstock cluster add " + nodes.peer(JOINING));
    String body = "{\"node\":\"" + nodes.peer(JOINING) + "\"}";
    Nodes.until(() -> nodes.post(0, "/v1/cluster/add", body), reply -> reply.status() == 200);
    nodes.awaitReady(JOINING);
  }

  /** Within the minute that is waited for anything. */
  private static void awaitShared(Nodes nodes) {
    for (int asked = 0; asked <= JOINING; asked++) {
      int node = asked;
      Nodes.until(
          () -> nodes.get(node, "/v1/shards"),
          reply -> owned(reply).equals(sharedBy("n1", "n2", "n3", "n4")));
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
  void r19_fourthNode_getsItsShareUnderLoadAndAgainAfterItWasRemoved() throws Exception {
    long seed = Long.getLong("seed", 19);
    try (Nodes nodes = new Nodes(folder)) {
      nodes.startAll();
      assertThat(nodes.put(0, "api%2Fuser", STRICT, "If-None-Match", "*").status()).isEqualTo(201);
      for (int i = 0; i < KEYS; i++) {
        assertThat(nodes.decided(i % 3, "full" + i, Load.CAPACITY, "all" + i).isAllowed()).isTrue();
      }
      Load load = new Load(nodes, seed);
      try (load) {
        join(nodes);
        awaitShared(nodes);
        assertFull(nodes, 0, 1, 2, JOINING);

        String body = "{\"node\":\"" + Nodes.name(JOINING) + "\"}";
        Nodes.until(
            () -> nodes.post(0, "/v1/cluster/remove", body), reply -> reply.status() == 200);
        nodes.awaitHealth(JOINING, "removed from cluster");
        nodes.kill(JOINING);
        Nodes.until(
            () -> nodes.get(1, "/v1/shards"),
            reply -> owned(reply).keySet().equals(sharedBy("n1", "n2", "n3").keySet()));
        assertFull(nodes, 0, 1, 2);

        nodes.wipe(JOINING);
        join(nodes);
        awaitShared(nodes);
      }
      assertFull(nodes, 0, 1, 2, JOINING);
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
