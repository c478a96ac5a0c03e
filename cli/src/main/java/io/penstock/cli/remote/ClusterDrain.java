package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that takes the lead from a node, before it is ended. */
@Command(
    name = "drain",
    sortOptions = false,
    description = "Have a node give away what it leads, and lead nothing until it is restarted.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:it leads nothing",
      "1:it leads still, because nobody takes over, or it does not answer",
      "2:the command line is wrong",
      "3:there is no such node"
    })
final class ClusterDrain implements Callable<Integer> {
  private static final int LEADS = 1;

  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Parameters(paramLabel = "NODE", description = "The name of the node, such as n1.")
  String node;

  @Override
  public Integer call() throws IOException {
    String body = Connection.JSON.createObjectNode().put("node", node).toString();
    Reply reply = connection.send("POST", "/v1/cluster/drain", body);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    List<String> leads = new ArrayList<>();
    for (JsonNode group : reply.json().path("leads")) {
      leads.add(group.asText());
    }
    String led = leads.isEmpty() ? "nothing" : String.join(", ", leads);
    spec.commandLine()
        .getOut()
        .println(connection.json ? reply.body() : node + " drains, and leads " + led);
    return leads.isEmpty() ? Reply.DONE : LEADS;
  }
}
