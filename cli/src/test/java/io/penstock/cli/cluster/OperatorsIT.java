package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators and clients see of three real nodes, and what they can do to them. */
@Timeout(300)
class OperatorsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STRICT = "{\"limits\":[\"50/day\"],\"consistency\":\"strict\"}";
  private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @TempDir Path folder;
  private Nodes nodes;
  private final Console console = new Console();

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

  private JsonNode json(int node, String path) {
    try {
      return JSON.readTree(nodes.get(node, path).body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private int run(int node, String... arguments) {
    return console.run(nodes.url(node), arguments);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + AWAIT_NANOS_MAX;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** The owner of a key, as a node knows it, and what else it says of that. */
  private JsonNode resolved(int asked, String user) {
    return json(asked, "/v1/shards/resolve?domain=api&d=user:" + user);
  }

  private boolean isOwner(int asked, int owner) {
    return resolved(asked, "42").path("owner").asText().equals(Nodes.name(owner));
  }

  private boolean isWhatAnswersSay(int asked) {
    JsonNode key = resolved(asked, "42");
    String told =
        "\"decidedBy\":\"%s shard %s epoch %s\""
            .formatted(key.path("owner").asText(), key.get("shard"), key.get("epoch"));
    return nodes.check(asked, "42", 0, null).body().contains(told);
  }

  @Test
  void resolve_throughAnyNode_isWhatTheAnswerSays() {
    for (int node = 0; node < Nodes.COUNT; node++) {
      int asked = node;
      await(() -> isWhatAnswersSay(asked));
      JsonNode shards = json(node, "/v1/shards").get("shards");
      assertThat(shards).hasSize(256);
      for (int i = 0; i < 256; i++) {
        assertThat(shards.get(i).get("shard").asInt()).isEqualTo(i);
        assertThat(shards.get(i).get("group").asText()).isEqualTo(group(i));
        assertThat(shards.get(i).get("replicas").toString()).isEqualTo("[\"n1\",\"n2\",\"n3\"]");
      }
      int shard = resolved(node, "42").get("shard").asInt();
      await(
          () ->
              json(asked, "/v1/shards")
                  .at("/shards/" + shard + "/owner")
                  .equals(resolved(asked, "42").get("owner")));
    }
    assertThat(run(0, "shards")).isZero();
    assertThat(console.printed())
        .containsPattern("0-85 +shards-0 .* n1 n2 n3\n86-170 +shards-1 .*\n171-255 +shards-2 ");
  }

  /** Three groups share the shards. */
  private static String group(int shard) {
    return "shards-" + shard * 3 / 256;
  }

  @Test
  void status_nodesKilled_tellsWhetherTheRestIsEnough() throws Exception {
    await(() -> run(0, "cluster", "status") == 0);
    assertThat(console.printed()).contains("leader", "follower").doesNotContain("no\n");
    JsonNode cluster = json(0, "/v1/cluster");
    for (int node = 1; node < Nodes.COUNT; node++) {
      assertThat(json(node, "/v1/cluster").get("cluster")).isEqualTo(cluster.get("cluster"));
    }
    for (JsonNode node : cluster.get("nodes")) {
      assertThat(node.get("reachable").asBoolean()).isTrue();
      assertThat(node.get("clockOffsetMs").asLong()).isBetween(-500L, 500L);
      assertThat(node.get("groups").findValuesAsText("group"))
          .containsExactly("meta", "shards-0", "shards-1", "shards-2");
    }
    int owner = nodes.awaitOwner(0, "42");
    int last = (owner + 1) % Nodes.COUNT;
    nodes.kill(owner);
    await(() -> run(last, "cluster", "status") == 0);
    assertThat(console.printed()).contains("n" + (owner + 1) + "    no\n");
    nodes.kill((owner + 2) % Nodes.COUNT);
    await(() -> run(last, "cluster", "status", "--json") == 1);
  }

  @Test
  void drain_owner_losesItAndDoesNotGetItBack() throws Exception {
    await(() -> nodes.check(0, "drained", 50, "all").isAllowed());
    int owner = nodes.awaitOwner(0, "drained");
    int other = (owner + 1) % Nodes.COUNT;
    assertThat(run(other, "cluster", "drain", Nodes.name(owner))).as(console.printed()).isZero();
    await(() -> leadsNothing(owner));
    await(() -> nodes.check(owner, "drained", 1, null).isDenied());
    String ofGroup =
        "\\{group=\"" + group(resolved(owner, "drained").get("shard").asInt()) + "\"} ";
    assertThat(nodes.get(owner, "/metrics").body())
        .containsPattern("penstock_cluster_term" + ofGroup + "[1-9]")
        .containsPattern("penstock_cluster_applied_index" + ofGroup + "[1-9]")
        .containsPattern("penstock_cluster_forwarded_total [1-9]");

    int next = nodes.awaitOwner(owner, "drained");
    assertThat(next).isNotEqualTo(owner);
    nodes.kill(next);
    int third = 3 - owner - next;
    await(() -> isOwner(third, third) && isOwner(owner, third) && leadsNothing(owner));
    await(() -> nodes.check(owner, "drained", 1, null).isDenied());
    await(() -> run(third, "cluster", "status") == 0);
    assertThat(console.printed()).contains("yes, draining");
  }

  private boolean leadsNothing(int node) {
    String metrics = nodes.get(node, "/metrics").body();
    return metrics.contains("penstock_cluster_leader{group=\"meta\"} 0.0")
        && !metrics.matches("(?s).*penstock_cluster_leader\\{group=\"[^\"]*\"} 1.0.*");
  }

  /** D4, R19: shards change their owner while they are decided on, and all own alike again. */
  @Test
  void move_whileServing_staysAndAllOwnAlikeAgain() throws Exception {
    await(() -> owners().size() == Nodes.COUNT);
    await(() -> nodes.check(0, "42", 50, "all").isAllowed());
    int shard = resolved(0, "42").get("shard").asInt();
    int heir = (nodes.awaitOwner(0, "42") + 1) % Nodes.COUNT;
    await(() -> run(0, "cluster", "move", "" + shard, Nodes.name(heir)) == 0);
    assertThat(console.printed())
        .containsPattern("%s owns shard %d, in group shards-".formatted(Nodes.name(heir), shard));
    await(() -> isOwner(0, heir) && owners().size() == Nodes.COUNT);
    assertThat(nodes.decided(1, "42", 1, null).isDenied()).isTrue();
    assertThat(run(0, "cluster", "move", "256", "n1")).isEqualTo(3);
    assertThat(run(0, "cluster", "move", "1", "n9")).isEqualTo(3);
  }

  /** Who owns any shard. */
  private Set<String> owners() {
    Set<String> owners = new HashSet<>(json(0, "/v1/shards").findValuesAsText("owner"));
    owners.retainAll(Set.of("n1", "n2", "n3"));
    return owners;
  }

  /** D7: whoever is asked names the key that is hammered, its shard, and who owns it. */
  @Test
  void hot_oneKeyHammered_isNamedByEveryNode() throws Exception {
    await(() -> owners().size() == Nodes.COUNT);
    String check = "{\"domain\":\"api\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"42\"}]]}";
    String batch = "{\"checks\":[" + String.join(",", Collections.nCopies(1_000, check)) + "]}";
    for (int node = 0; node < Nodes.COUNT; node++) {
      int asked = node;
      await(
          () -> {
            nodes.post((asked + 1) % Nodes.COUNT, "/v1/check:batch", batch);
            JsonNode key = json(asked, "/v1/shards/hot").at("/keys/0");
            JsonNode owned = resolved(asked, "42");
            return key.at("/descriptor/0/value").asText().equals("42")
                && key.path("hot").asBoolean()
                && key.path("owner").equals(owned.path("owner"))
                && json(asked, "/v1/shards")
                    .at("/shards/" + owned.get("shard") + "/hot")
                    .asBoolean();
          });
      assertThat(run(node, "shards", "--hot")).isZero();
      assertThat(console.printed()).containsPattern("(?m)\\A.*\n\\d+/s hot .* api user=42$");
      assertThat(run(node, "shards")).isZero();
      assertThat(console.printed()).containsPattern("\\A.*\n\\d+ +shards-\\d .*/s hot ");
    }
    int owner = nodes.awaitOwner(0, "42");
    assertThat(nodes.get(owner, "/metrics").body())
        .contains("penstock_shards_hot 1.0")
        .containsPattern("penstock_shard_rate_max [1-9]")
        .containsPattern("penstock_group_decisions_total\\{group=\"shards-\\d\"} [1-9]")
        .doesNotContain("\"42\"");
    assertThat(Files.readString(nodes.log(owner)))
        .contains("hot shards: ", "penstock cluster move");
  }

  @Test
  void drain_unknownNode_namesThoseThereAre() {
    assertThat(run(0, "cluster", "drain", "n9")).isEqualTo(3);
    assertThat(console.printed()).contains("node: n9 (expected: one of n1, n2, n3)");
  }
}
