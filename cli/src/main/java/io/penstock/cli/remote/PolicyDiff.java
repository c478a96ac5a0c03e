package io.penstock.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that compares a policy with a proposed one, or two versions of it. */
@Command(
    name = "diff",
    sortOptions = false,
    description = {
      "Compare the policy of a scope with a proposed one, or with an earlier version of itself"
          + " (the one before, if nothing is said)."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the same",
      "1:it failed",
      "2:the command line is wrong",
      "3:different, or not found"
    })
final class PolicyDiff implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Parameters(index = "0", paramLabel = "SCOPE", description = PolicyCommand.NAME)
  String scope;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "POLICY",
      description = "The proposed policy, as for put.")
  @Nullable String proposed;

  @Option(names = "--version", paramLabel = "N", description = "The earlier version.")
  @Nullable Long version;

  @Override
  public Integer call() throws IOException {
    Reply reply = connection.send("GET", PolicyCommand.path(scope) + "/history", /* body= */ null);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    JsonNode history = reply.json().path("history");
    JsonNode now = history.path(0).path("policy");
    JsonNode before = proposed == null ? earlier(history) : now;
    if (before == null) {
      return connection.refused(
          Reply.notFound("version: " + version + " (expected: one of the history)"));
    }
    JsonNode after = proposed == null ? now : parse(PolicyText.document(proposed));
    List<String[]> rows = PolicyText.differences(before, after);
    print(rows, spec.commandLine().getOut());
    return rows.isEmpty() ? Reply.DONE : Reply.NO;
  }

  /** Null if there is no such version. */
  private @Nullable JsonNode earlier(JsonNode history) {
    if (version == null) {
      return history.path(1).path("policy");
    }
    for (JsonNode change : history) {
      if (change.path("version").asLong() == version) {
        return change.path("policy");
      }
    }
    return null;
  }

  private JsonNode parse(String document) {
    try {
      return Connection.JSON.readTree(document);
    } catch (JsonProcessingException broken) {
      throw new ParameterException(
          spec.commandLine(), "policy: " + broken.getOriginalMessage() + " (expected: JSON)");
    }
  }

  private void print(List<String[]> rows, PrintWriter out) {
    if (connection.json) {
      ArrayNode differences = Connection.JSON.createArrayNode();
      for (String[] row : rows) {
        differences.addObject().put("field", row[0]).put("before", row[1]).put("after", row[2]);
      }
      out.println(differences);
      return;
    }
    if (rows.isEmpty()) {
      out.println("the same");
      return;
    }
    Columns columns = new Columns().row("field", "before", "after");
    rows.forEach(columns::row);
    columns.print(out);
  }
}
