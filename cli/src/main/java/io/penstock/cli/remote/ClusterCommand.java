package io.penstock.cli.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands about the nodes of a cluster. */
@Command(
    name = "cluster",
    description = "See the nodes of a cluster; add, remove or drain one; move shards.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {ClusterStatus.class, ClusterDrain.class},
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:it failed", "2:the command line is wrong", "3:not found"})
public final class ClusterCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    String commands = String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(
        spec.commandLine(), "command: none (expected: one of " + commands + ")");
  }

  @Command(
      description = "Take a node into the cluster that is started with --peers and waits for it.",
      sortOptions = false)
  int add(
      @Mixin Connection connection,
      @Parameters(
              paramLabel = "NODE=HOST:PORT",
              description = "Its name, and where the others reach it.")
          String node)
      throws IOException {
    return order("add", node, connection);
  }

  @Command(
      description = "Take a node out of the cluster, dead or alive; what it leads goes to another.",
      sortOptions = false)
  int remove(
      @Mixin Connection connection,
      @Parameters(paramLabel = "NODE", description = "The name of the node, such as n1.")
          String node)
      throws IOException {
    return order("remove", node, connection);
  }

  private int order(String order, String node, Connection connection) throws IOException {
    String body = Connection.JSON.createObjectNode().put("node", node).toString();
    Reply reply = connection.send("POST", "/v1/cluster/" + order, body);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    List<String> nodes = new ArrayList<>();
    reply.json().path("nodes").forEach(each -> nodes.add(each.asText()));
    String told = "the nodes are " + String.join(", ", nodes);
    spec.commandLine().getOut().println(connection.json ? reply.body() : told);
    return Reply.DONE;
  }

  @Command(
      description = "Have a node own a shard; if it owns none yet, all shards of the same group.",
      sortOptions = false)
  int move(
      @Mixin Connection connection,
      @Parameters(paramLabel = "SHARD", description = "The number of a shard, such as 17.")
          int shard,
      @Parameters(paramLabel = "NODE", description = "The name of the node, such as n2.")
          String node)
      throws IOException {
    String body =
        Connection.JSON.createObjectNode().put("shard", shard).put("node", node).toString();
    Reply reply = connection.send("POST", "/v1/cluster/move", body);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    String told =
        "%s owns shard %d, in group %s"
            .formatted(
                reply.json().path("owner").asText(), shard, reply.json().path("group").asText());
    spec.commandLine().getOut().println(connection.json ? reply.body() : told);
    return Reply.DONE;
  }
}
