package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command that shows who owns which shard. */
@Command(
    name = "shards",
    sortOptions = false,
    description = "Show which node owns which shard.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:it failed", "2:the command line is wrong"})
public final class Shards implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Reply reply = connection.send("GET", "/v1/shards", /* body= */ null);
    if (!reply.isDone()) {
      return reply.refused(spec.commandLine().getErr());
    }
    if (connection.json) {
      out.println(reply.body());
    } else {
      table(reply.json().path("shards")).print(out);
    }
    return Reply.DONE;
  }

  /** Shards in a row that differ by their number only are one row. */
  private static Columns table(JsonNode shards) {
    Columns columns = new Columns().row("shards", "group", "owner", "epoch", "replicas");
    int from = 0;
    for (int i = 0; i < shards.size(); i++) {
      if (i + 1 == shards.size() || !rest(shards.get(i)).equals(rest(shards.get(i + 1)))) {
        List<String> cells = new ArrayList<>();
        String first = shards.get(from).path("shard").asText();
        cells.add(from == i ? first : first + "-" + shards.get(i).path("shard").asText());
        cells.addAll(rest(shards.get(i)));
        columns.row(cells.toArray(String[]::new));
        from = i + 1;
      }
    }
    return columns;
  }

  private static List<String> rest(JsonNode shard) {
    List<String> replicas = new ArrayList<>();
    shard.path("replicas").forEach(each -> replicas.add(each.asText()));
    return List.of(
        shard.path("group").asText(),
        shard.path("owner").asText("unknown"),
        shard.path("epoch").asText(),
        String.join(" ", replicas));
  }
}
