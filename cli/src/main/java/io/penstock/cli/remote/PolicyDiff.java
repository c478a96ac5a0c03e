package io.penstock.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
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

  /** What is in force, and what it is compared with; null until they are read. */
  private @Nullable JsonNode now;

  private @Nullable JsonNode earlier;

  @Override
  public Integer call() throws IOException {
    Reply refused = Changes.read(connection, scope, this::take);
    if (refused != null) {
      return connection.refused(refused);
    }
    JsonNode current = now == null ? MissingNode.getInstance() : now;
    if (proposed != null) {
      return compare(current, parse(PolicyText.document(proposed)));
    }
    if (earlier == null && version != null) {
      return connection.refused(
          Reply.notFound("version: " + version + " (expected: one of the history)"));
    }
    return compare(earlier == null ? MissingNode.getInstance() : earlier, current);
  }

  /** Takes the next older change; says whether an even older one is needed. */
  private boolean take(JsonNode change) {
    JsonNode policy = change.path("policy");
    boolean isNewest = now == null;
    if (isNewest) {
      now = policy;
    }
    if (version == null ? !isNewest : change.path("version").asLong() == version) {
      earlier = policy;
    }
    return proposed == null && earlier == null;
  }

  private int compare(JsonNode before, JsonNode after) {
    List<String[]> rows = PolicyText.differences(before, after);
    print(rows, spec.commandLine().getOut());
    return rows.isEmpty() ? Reply.DONE : Reply.NO;
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
