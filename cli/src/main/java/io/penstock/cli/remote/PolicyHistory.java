package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that shows who changed a policy, and when. */
@Command(
    name = "history",
    sortOptions = false,
    description = "Show every change of the policy of a scope, or of a tier, newest first.")
final class PolicyHistory implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Parameters(paramLabel = "SCOPE", description = PolicyCommand.NAME)
  String scope;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode changes = all.putArray("history");
    Columns columns = new Columns().row("version", "at", "by", "policy");
    Reply refused =
        Changes.read(
            connection,
            scope,
            change -> {
              if (connection.json) {
                changes.add(change);
              } else {
                columns.row(
                    change.path("version").asText(),
                    change.path("at").asText(),
                    change.path("by").asText(),
                    PolicyText.line(change.path("policy")));
              }
              return true;
            });
    if (refused != null) {
      return connection.refused(refused);
    }
    if (connection.json) {
      out.println(all);
    } else {
      columns.print(out);
    }
    return Reply.DONE;
  }
}
