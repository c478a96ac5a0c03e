package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

/** What the commands about a cluster make of an answer; a real cluster is asked in an IT. */
class ClusterCommandsTest {
  @Command(
      name = "penstock",
      subcommands = {Shards.class, ClusterCommand.class})
  static final class Root {}

  private final Shell shell = new Shell(Root.class);
  private final List<String> asked = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answers(String path, String body) {
    server.createContext(
        path,
        exchange -> {
          String question =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(exchange.getRequestMethod() + " " + path + " " + question);
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  private int run(String... arguments) {
    return shell.runAt("http://127.0.0.1:" + server.getAddress().getPort(), arguments);
  }

  private static String shard(int shard, String owner) {
    return "{\"shard\":%d,\"group\":\"g\",\"owner\":%s,\"epoch\":7,\"replicas\":[\"n1\",\"n2\"]}"
        .formatted(shard, owner);
  }

  @Test
  void shards_ofSeveralOwners_areARowForEachRun() {
    String shards = String.join(",", shard(0, "\"n1\""), shard(1, "\"n1\""), shard(2, "null"));
    answers("/v1/shards", "{\"shards\":[" + shards + "]}");
    assertThat(run("shards")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            shards  group  owner    epoch  rate     replicas
            0-1     g      n1       7      unknown  n1 n2
            2       g      unknown  7      unknown  n1 n2
            """);
  }

  private static String shard(int shard, String rate, boolean hot) {
    return shard(shard, "\"n1\"").replace("}", ",\"rate\":" + rate + ",\"hot\":" + hot + "}");
  }

  @Test
  void shards_thatAreHot_comeFirstTheHottestAtTheTop() {
    String shards =
        String.join(
            ",",
            shard(0, "5", false),
            shard(1, "7", false),
            shard(2, "2000", true),
            shard(3, "30", false),
            shard(4, "9000", true),
            shard(5, "null", false));
    answers("/v1/shards", "{\"shards\":[" + shards + "]}");
    assertThat(run("shards")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            shards  group  owner  epoch  rate        replicas
            4       g      n1     7      9000/s hot  n1 n2
            2       g      n1     7      2000/s hot  n1 n2
            0-1     g      n1     7      12/s        n1 n2
            3       g      n1     7      30/s        n1 n2
            5       g      n1     7      unknown     n1 n2
            """);
  }

  private static String key(String value, int rate, String share, boolean hot) {
    return ("{\"domain\":\"api\",\"descriptor\":[{\"key\":\"plan\",\"value\":\"free\"},"
            + "{\"key\":\"user\",\"value\":\"%s\"}],\"shard\":17,\"owner\":\"n2\","
            + "\"rate\":%d,\"share\":%s,\"hot\":%s}")
        .formatted(value, rate, share, hot);
  }

  @Test
  void hot_keys_areShownAsACheckNamesThemAndObeyedByNoTerminal() {
    String keys = key("42", 5120, "0.98", true) + "," + key("\\u001b[2J\\u202e", 7, "0.0", false);
    answers("/v1/shards/hot", "{\"keys\":[" + keys + "]}");
    assertThat(run("shards", "--hot")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            rate        of its shard  shard  owner  key
            5120/s hot  98 %          17     n2     api plan=free user=42
            7/s         0 %           17     n2     api plan=free user=\\u001b[2J\\u202e
            """);
  }

  private static String node(String name, boolean reachable) {
    return reachable
        ? ("{\"node\":\"%s\",\"reachable\":true,\"draining\":true,\"clockOffsetMs\":-3,\"groups\":"
                + "[{\"group\":\"shards\",\"role\":\"leader\",\"term\":2,\"appliedIndex\":9}]}")
            .formatted(name)
        : "{\"node\":\"%s\",\"reachable\":false,\"groups\":[]}".formatted(name);
  }

  private static String cluster(String leader, int reachable) {
    List<String> nodes = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      nodes.add(node("n" + i, i <= reachable));
    }
    return ("{\"node\":\"n1\",\"cluster\":\"c-1\",\"groups\":"
            + "[{\"group\":\"meta\",\"leader\":\"n1\"},{\"group\":\"shards\",\"leader\":%s}],"
            + "\"nodes\":[%s]}")
        .formatted(leader, String.join(",", nodes));
  }

  @ParameterizedTest
  @CsvSource({"'\"n2\"',3,0", "'\"n2\"',2,0", "'\"n2\"',1,1", "null,3,1"})
  void status_majorityAndOwner_areTheExitStatus(String leader, int reachable, int status) {
    answers("/v1/cluster", cluster(leader, reachable));
    assertThat(run("cluster", "status")).isEqualTo(status);
  }

  @Test
  void status_nodes_areTold() {
    answers("/v1/cluster", cluster("\"n1\"", 1));
    run("cluster", "status");
    assertThat(shell.out())
        .isEqualTo(
            """
            cluster c-1, asked n1
            node  reachable      clock  group   role    term  applied
            n1    yes, draining  -3 ms  shards  leader  2     9
            n2    no
            n3    no
            """);
  }

  @ParameterizedTest
  @CsvSource({"'',0,nothing", "'\"shards\"',1,shards"})
  void drain_whatItStillLeads_isTheExitStatus(String leads, int status, String told) {
    String answer = "{\"node\":\"n1\",\"draining\":true,\"leads\":[" + leads + "]}";
    answers("/v1/cluster/drain", answer);
    assertThat(run("cluster", "drain", "n1")).isEqualTo(status);
    assertThat(shell.out()).isEqualTo("n1 drains, and leads " + told + "\n");
    assertThat(asked).containsExactly("POST /v1/cluster/drain {\"node\":\"n1\"}");
  }

  @ParameterizedTest
  @CsvSource({"add,n4=10.0.0.4:7001", "remove,n1"})
  void addAndRemove_nodesThen_areTold(String order, String node) {
    answers("/v1/cluster/" + order, "{\"nodes\":[\"n2\",\"n3\"]}");
    assertThat(run("cluster", order, node)).isZero();
    assertThat(shell.out()).isEqualTo("the nodes are n2, n3\n");
    assertThat(asked).containsExactly("POST /v1/cluster/" + order + " {\"node\":\"" + node + "\"}");
  }

  @Test
  void move_whoOwnsThen_isTold() {
    answers(
        "/v1/cluster/move", "{\"shard\":17,\"group\":\"shards-1\",\"owner\":\"n2\",\"epoch\":3}");
    assertThat(run("cluster", "move", "17", "n2")).isZero();
    assertThat(shell.out()).isEqualTo("n2 owns shard 17, in group shards-1\n");
    assertThat(asked).containsExactly("POST /v1/cluster/move {\"shard\":17,\"node\":\"n2\"}");
  }

  @Test
  void cluster_withoutCommand_tellsThem() {
    assertThat(shell.run("cluster")).isEqualTo(2);
    assertThat(shell.err()).contains("expected: one of", "status", "drain", "add");
  }
}
