package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** R23: single shards of three real nodes move while they are decided on. */
@Tag("once")
@Timeout(300)
class MoveIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STRICT =
      "{\"limits\":[\"" + Load.CAPACITY + "/day\"],\"consistency\":\"strict\"}";
  private static final int MOVES = 24;
  private static final int KEYS = 30;

  @TempDir Path folder;

  private static JsonNode json(Reply reply) {
    try {
      return JSON.readTree(reply.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode resolved(Nodes nodes, int asked, String key) {
    return json(nodes.get(asked, "/v1/shards/resolve?domain=api&d=user:" + key));
  }

  private static Reply move(Nodes nodes, int asked, int shard, int to) {
    String body = "{\"shard\":%d,\"node\":\"%s\"}".formatted(shard, Nodes.name(to));
    return nodes.post(asked, "/v1/cluster/move", body);
  }

  private static void awaitEveryoneOwns(Nodes nodes) {
    Nodes.until(
        () -> nodes.get(0, "/v1/shards"),
        reply ->
            List.of("n1", "n2", "n3").stream()
                .allMatch(each -> reply.body().contains("\"owner\":\"" + each + "\"")));
  }

  private static void start(Nodes nodes) throws IOException {
    nodes.startAll();
    InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 0);
    for (int node = 0; node < Nodes.COUNT; node++) {
      nodes.awaitOwner(node, "42");
    }
    awaitEveryoneOwns(nodes);
  }

  /** Keys at their limit stay there wherever they move, and ids are told from others. */
  @Test
  void r23_keysAtTheirLimit_movedBackAndForthUnderLoad_admitNothingMore() throws Exception {
    long seed = Long.getLong("seed", 23);
    Random random = new Random(seed);
    try (Nodes nodes = new Nodes(folder)) {
      start(nodes);
      for (int i = 0; i < KEYS; i++) {
        int asked = i % Nodes.COUNT;
        assertThat(nodes.decided(asked, "full" + i, Load.CAPACITY, "all" + i).isAllowed()).isTrue();
      }
      Load load = new Load(nodes, seed);
      try (load) {
        for (int i = 0; i < MOVES; i++) {
          String key = "full" + random.nextInt(KEYS / 3);
          int asked = random.nextInt(Nodes.COUNT);
          JsonNode before = resolved(nodes, asked, key);
          int to = random.nextInt(Nodes.COUNT);
          int shard = before.get("shard").asInt();
          Reply moved =
              Nodes.until(() -> move(nodes, asked, shard, to), reply -> reply.status() == 200);
          assertThat(json(moved).get("owner").asText()).isEqualTo(Nodes.name(to));
          Reply denied = nodes.decided(asked, key, 1, /* requestId= */ null);
          assertThat(denied.isDenied()).as("%s, seed %d", denied, seed).isTrue();
          assertThat(denied.owner()).isEqualTo(to);
        }
      }
      for (int i = 0; i < KEYS; i++) {
        Reply again = nodes.decided(i % Nodes.COUNT, "full" + i, Load.CAPACITY, "all" + i);
        assertThat(again.body()).contains("\"duplicate\":true");
        assertThat(nodes.decided(0, "full" + i, 1, null).isDenied()).isTrue();
      }
      assertThat(Checker.problems(load.history(), Load.CAPACITY, load.used()))
          .as("seed " + seed)
          .isEmpty();
      assertThat(nodes.errors()).isEmpty();
    }
  }

  /** Whoever is killed while shards move: each is in one group afterwards, with all it has. */
  @Test
  void r23_nodeKilledWhileShardsMove_nothingIsLostAndNoMoveHangs() throws Exception {
    long seed = Long.getLong("seed", 24);
    try (Nodes nodes = new Nodes(folder)) {
      start(nodes);
      Map<String, Integer> shards = new HashMap<>();
      for (int i = 0; i < KEYS; i++) {
        String key = "full" + i;
        assertThat(nodes.decided(0, key, Load.CAPACITY, "all" + i).isAllowed()).isTrue();
        shards.put(key, resolved(nodes, 0, key).get("shard").asInt());
      }
      Load load = new Load(nodes, seed);
      try (load) {
        for (int victim = 1; victim < Nodes.COUNT; victim++) {
          int other = victim;
          List<CompletableFuture<Reply>> moving =
              shards.values().stream()
                  .map(
                      shard ->
                          CompletableFuture.supplyAsync(
                              () -> move(nodes, 0, shard, (shard + other) % Nodes.COUNT)))
                  .toList();
          CompletableFuture.anyOf(moving.toArray(CompletableFuture<?>[]::new))
              .get(30, TimeUnit.SECONDS);
          nodes.kill(victim);
          CompletableFuture.allOf(moving.toArray(CompletableFuture<?>[]::new))
              .get(60, TimeUnit.SECONDS);
          nodes.start(victim);
          nodes.awaitReady(victim);
          for (String key : shards.keySet()) {
            Reply denied = nodes.decided(victim, key, 1, /* requestId= */ null);
            assertThat(denied.isDenied()).as("%s %s, seed %d", key, denied, seed).isTrue();
          }
          awaitEveryoneOwns(nodes);
        }
      }
      shards
          .values()
          .forEach(
              shard -> Nodes.until(() -> move(nodes, 0, shard, 0), reply -> reply.status() == 200));
      for (int i = 0; i < KEYS; i++) {
        Reply again = nodes.decided(i % Nodes.COUNT, "full" + i, Load.CAPACITY, "all" + i);
        assertThat(again.body()).contains("\"duplicate\":true");
      }
      assertThat(Checker.problems(load.history(), Load.CAPACITY, load.used()))
          .as("seed " + seed)
          .isEmpty();
    }
  }
}
