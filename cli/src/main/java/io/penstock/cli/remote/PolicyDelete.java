package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that deletes a policy. */
@Command(
    name = "delete",
    sortOptions = false,
    description = "Delete the policy of a scope, or a tier.")
final class PolicyDelete implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Parameters(paramLabel = "SCOPE", description = PolicyCommand.NAME)
  String scope;

  @Option(
      names = "--if-version",
      paramLabel = "N",
      description = "Only if this is the version that is there.")
  @Nullable Long version;

  @Override
  public Integer call() throws IOException {
    String tag = version == null ? "*" : "\"" + version + "\"";
    Reply reply =
        connection.send("DELETE", PolicyCommand.path(scope), /* body= */ null, "If-Match", tag);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    spec.commandLine().getOut().println(connection.json ? json(scope) : "deleted " + scope);
    return Reply.DONE;
  }

  /** That a document was deleted: the server says nothing more to that. */
  static JsonNode json(String name) {
    return Connection.JSON.createObjectNode().put("deleted", name);
  }
}
