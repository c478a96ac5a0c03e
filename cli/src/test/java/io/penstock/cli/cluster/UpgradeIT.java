package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real nodes of the version that was tagged last and of this one are one cluster, while checks go
 * on: each is the owner after the other, and what was decided stays.
 */
@Tag("once")
@Timeout(600)
class UpgradeIT {
  private static final String STRICT =
      "{\"limits\":[\"" + Load.CAPACITY + "/day\"],\"consistency\":\"strict\"}";
  private static final String SCOPE = "api%2Fuser";

  /* So many that each group has some. */
  private static final int FULL_KEYS = 9;
  private static final long SEED = 5;

  @TempDir Path folder;
  private Nodes nodes;
  private int policyVersion;

  @BeforeEach
  void begin() {
    nodes = new Nodes(folder);
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  @Test
  void nodesOfThePreviousVersion_replacedOneByOneUnderLoad_forgetNothing() throws Exception {
    TaggedBuild previous = TaggedBuild.previous();
    assertThat(previous.said()).as(previous.tag()).isEqualTo("penstock " + previous.version());
    for (int node = 0; node < Nodes.COUNT; node++) {
      nodes.program(node, previous.jar());
    }
    nodes.startAll();
    putPolicy(0, "If-None-Match", "*");
    for (int i = 0; i < FULL_KEYS; i++) {
      Reply all = nodes.decided(i % Nodes.COUNT, full(i), Load.CAPACITY, full(i));
      assertThat(all.isAllowed()).as(all.body()).isTrue();
    }
    assertNothingForgotten();
    Load load = new Load(nodes, SEED);
    try (load) {
      replace(previous.jar());
    }
    assertThat(Checker.problems(load.history(), Load.CAPACITY, load.used())).isEmpty();
  }

  /** Owners of both builds follow each other, whether they give away what they own or die. */
  private void replace(Path previous) throws Exception {
    replace(0, Nodes.PROGRAM);
    own(0);
    putPolicy(0, "If-Match", "\"1\"");
    nodes.kill(0);
    assertNothingForgotten();
    assertThat(nodes.program(owner())).isEqualTo(previous);
    start(0);
    replace(1, Nodes.PROGRAM);
    own(2);
    putPolicy(2, "If-Match", "\"2\"");
    nodes.kill(2);
    assertNothingForgotten();
    assertThat(nodes.program(owner())).isEqualTo(Nodes.PROGRAM);
    nodes.program(2, Nodes.PROGRAM);
    start(2);
    replace(0, previous);
    own(0);
    own(1);
  }

  private static String full(int i) {
    return "full-" + i;
  }

  private void putPolicy(int node, String... condition) {
    Reply put = nodes.put(node, SCOPE, STRICT, condition);
    assertThat(put.status()).as(put.body()).isBetween(200, 201);
    policyVersion++;
  }

  /** As an operator does it. */
  private void replace(int node, Path program) throws Exception {
    order(node, "drain", "\"node\":\"%s\"");
    nodes.end(node);
    nodes.program(node, program);
    start(node);
  }

  private void start(int node) throws Exception {
    nodes.start(node);
    nodes.awaitReady(node);
    assertNothingForgotten();
  }

  /**
   * Lets a node own a key; one that lost its place again meanwhile, on a slow machine, once more.
   */
  private void own(int node) {
    String resolve = "/v1/shards/resolve?domain=api&d=user:" + full(0);
    String move = "\"shard\":" + nodes.get(node, resolve).number("shard") + ",\"node\":\"%s\"";
    Nodes.until(
        () -> {
          order(node, "move", move);
          assertNothingForgotten();
          return nodes.decided(node, full(0), /* cost= */ 0, /* requestId= */ null);
        },
        reply -> reply.owner() == node);
  }

  /** Gives an order about a node to another one, until there is somebody to carry it out. */
  private void order(int node, String what, String fields) {
    String body = "{" + fields.formatted(Nodes.name(node)) + "}";
    int asked = (node + 1) % Nodes.COUNT;
    Reply done =
        Nodes.until(() -> nodes.post(asked, "/v1/cluster/" + what, body), Reply::isSettled);
    assertThat(done.status()).as(done.body()).isEqualTo(200);
  }

  private int owner() {
    return nodes.awaitOwner(nodes.running().get(0), full(0));
  }

  /** Through every node that runs: keys at their limit, request ids, the policy. */
  private void assertNothingForgotten() {
    for (int node : nodes.running()) {
      for (int i = 0; i < FULL_KEYS; i++) {
        Reply more = nodes.decided(node, full(i), 1, /* requestId= */ null);
        assertThat(more.isDenied()).as(more.body()).isTrue();
        Reply again = nodes.decided(node, full(i), Load.CAPACITY, full(i));
        assertThat(again.isAllowed()).as(again.body()).isTrue();
        assertThat(again.body()).contains("\"duplicate\":true");
      }
      Reply policy = nodes.get(node, "/v1/policies/" + SCOPE);
      assertThat(policy.body()).contains("\"version\":" + policyVersion + ",", STRICT);
    }
  }
}
