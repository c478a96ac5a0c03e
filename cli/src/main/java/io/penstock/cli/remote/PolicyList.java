package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.policy.Kind;
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
    Kind kind = tiers ? Kind.TIER : Kind.POLICY;
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode documents = all.putArray(Pages.plural(kind));
    Columns columns = new Columns().row(tiers ? "tier" : "scope", "version", "policy");
    Pages.End end =
        Pages.read(
            connection,
            kind,
            after,
            max,
            each -> {
              documents.add(each);
              columns.row(
                  Pages.name(kind, each),
                  each.path("version").asText(),
                  PolicyText.line(each.path("policy")));
            });
    if (end.refused() != null) {
      return connection.refused(end.refused());
    }
    if (connection.json) {
      if (!end.next().isEmpty()) {
        all.put("next", end.next());
      }
      out.println(all);
    } else {
      columns.print(out);
    }
    return Reply.DONE;
  }
}
