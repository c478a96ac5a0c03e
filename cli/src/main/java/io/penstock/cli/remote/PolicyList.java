package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that lists policies in the order of their scopes, page by page. */
@Command(name = "list", sortOptions = false, description = "List policies.")
final class PolicyList implements Callable<Integer> {
  private static final int PAGE = 500;

  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Option(
      names = "--after",
      paramLabel = "SCOPE",
      defaultValue = "",
      description = "Only scopes after this one.")
  String after;

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most so many. Default: 1000.")
  int max;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Columns columns = new Columns().row("scope", "version", "policy");
    String last = after;
    for (int left = max; left > 0; left -= PAGE) {
      int page = Math.min(PAGE, left);
      String query =
          "?limit=" + page + (last.isEmpty() ? "" : "&after=" + Connection.segment(last));
      Reply reply = connection.send("GET", "/v1/policies" + query, /* body= */ null);
      if (!reply.isDone()) {
        return reply.refused(spec.commandLine().getErr());
      }
      JsonNode policies = reply.json().path("policies");
      for (JsonNode each : policies) {
        last = each.path("scope").asText();
        if (connection.json) {
          out.println(each);
        } else {
          columns.row(last, each.path("version").asText(), PolicyText.line(each.path("policy")));
        }
      }
      if (policies.size() < page) {
        break;
      }
    }
    if (!connection.json) {
      columns.print(out);
    }
    return Reply.DONE;
  }
}
