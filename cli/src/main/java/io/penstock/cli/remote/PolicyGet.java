package io.penstock.cli.remote;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that shows one policy or tier. */
@Command(name = "get", sortOptions = false, description = "Show the policy of a scope, or a tier.")
final class PolicyGet implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Parameters(paramLabel = "SCOPE", description = PolicyCommand.NAME)
  String scope;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Reply reply = connection.send("GET", PolicyCommand.path(scope), /* body= */ null);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    if (connection.json) {
      out.println(reply.body());
      return Reply.DONE;
    }
    out.println(scope + ", version " + reply.json().path("version"));
    Columns columns = new Columns();
    for (String[] field :
        PolicyText.differences(Connection.JSON.createObjectNode(), reply.json().path("policy"))) {
      columns.row(field[0], field[2]);
    }
    columns.print(out);
    return Reply.DONE;
  }
}
