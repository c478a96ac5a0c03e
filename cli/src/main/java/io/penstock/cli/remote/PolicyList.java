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

/** The command that lists policies, or tiers, in the order of their names, page by page. */
@Command(name = "list", sortOptions = false, description = "List policies, or tiers.")
final class PolicyList implements Callable<Integer> {
  private static final int PAGE = 500;

  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Option(
      names = "--after",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Only scopes, or tiers, after this one.")
  String after;

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most so many. Default: 1000.")
  int max;

  @Option(names = "--tiers", description = "Tiers instead of policies.")
  boolean tiers;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    String kind = tiers ? "tiers" : "policies";
    String name = tiers ? "name" : "scope";
    Columns columns = new Columns().row(tiers ? "tier" : name, "version", "policy");
    String last = after;
    for (int left = max; left > 0; left -= PAGE) {
      int page = Math.min(PAGE, left);
      String query =
          "?limit=" + page + (last.isEmpty() ? "" : "&after=" + Connection.segment(last));
      Reply reply = connection.send("GET", "/v1/" + kind + query, /* body= */ null);
      if (!reply.isDone()) {
        return reply.refused(spec.commandLine().getErr());
      }
      JsonNode policies = reply.json().path(kind);
      for (JsonNode each : policies) {
        last = each.path(name).asText();
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
