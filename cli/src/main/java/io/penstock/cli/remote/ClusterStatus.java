package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command that shows how the nodes of a cluster are. */
@Command(
    name = "status",
    sortOptions = false,
    description = "Show the nodes: whether they answer, what they lead, how far they are.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:most nodes answer, and every shard has an owner",
      "1:it is not so, or the server does not answer",
      "2:the command line is wrong"
    })
final class ClusterStatus implements Callable<Integer> {
  private static final int NOT_WHOLE = 1;

  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Reply reply = connection.send("GET", "/v1/cluster", /* body= */ null);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    if (connection.json) {
      out.println(reply.body());
    } else {
      print(reply.json(), out);
    }
    return isWhole(reply.json()) ? Reply.DONE : NOT_WHOLE;
  }

  private static boolean isWhole(JsonNode cluster) {
    int reachable = 0;
    for (JsonNode node : cluster.path("nodes")) {
      reachable += node.path("reachable").asBoolean() ? 1 : 0;
    }
    boolean owned = true;
    for (JsonNode group : cluster.path("groups")) {
      owned &= group.path("leader").isTextual();
    }
    return owned && 2 * reachable > cluster.path("nodes").size();
  }

  private static void print(JsonNode cluster, PrintWriter out) {
    out.println(
        "cluster "
            + cluster.path("cluster").asText("none: a single server")
            + ", asked "
            + cluster.path("node").asText());
    Columns columns =
        new Columns().row("node", "reachable", "clock", "group", "role", "term", "applied");
    for (JsonNode node : cluster.path("nodes")) {
      if (node.path("reachable").asBoolean()) {
        reachable(node, columns);
      } else {
        columns.row(node.path("node").asText(), "no");
      }
    }
    columns.print(out);
  }

  private static void reachable(JsonNode node, Columns columns) {
    String state = node.path("draining").asBoolean() ? "yes, draining" : "yes";
    JsonNode offset = node.path("clockOffsetMs");
    String clock = offset.isNumber() ? "%+d ms".formatted(offset.asLong()) : "unknown";
    String name = node.path("node").asText();
    boolean first = true;
    for (JsonNode group : node.path("groups")) {
      columns.row(
          first ? name : "",
          first ? state : "",
          first ? clock : "",
          group.path("group").asText(),
          group.path("role").asText(),
          group.path("term").asText(),
          group.path("appliedIndex").asText());
      first = false;
    }
  }
}
