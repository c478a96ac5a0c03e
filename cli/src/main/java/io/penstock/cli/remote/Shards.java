package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that shows who owns which shard, and what is decided on most. */
@Command(
    name = "shards",
    sortOptions = false,
    description = "Show which node owns which shard, the hot ones first.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:it failed", "2:the command line is wrong"})
public final class Shards implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Option(names = "--hot", description = "Show the keys that are decided on most often instead.")
  boolean hot;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Reply reply = connection.send("GET", hot ? "/v1/shards/hot" : "/v1/shards", /* body= */ null);
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    if (connection.json) {
      out.println(reply.body());
    } else if (hot) {
      keys(reply.json().path("keys")).print(out);
    } else {
      shards(reply.json().path("shards")).print(out);
    }
    return Reply.DONE;
  }

  /** A hot shard is a row; of the others those in a row that have the same owner are one. */
  private static Columns shards(JsonNode shards) {
    Columns columns = new Columns().row("shards", "group", "owner", "epoch", "rate", "replicas");
    List<JsonNode> heated = new ArrayList<>();
    List<JsonNode> run = new ArrayList<>();
    List<List<JsonNode>> runs = new ArrayList<>();
    for (JsonNode shard : shards) {
      boolean isHot = shard.path("hot").asBoolean();
      if (!run.isEmpty() && (isHot || !rest(shard).equals(rest(run.get(0))))) {
        runs.add(List.copyOf(run));
        run.clear();
      }
      (isHot ? heated : run).add(shard);
    }
    if (!run.isEmpty()) {
      runs.add(run);
    }
    heated.sort(Comparator.comparingLong((JsonNode each) -> each.path("rate").asLong()).reversed());
    heated.forEach(each -> columns.row(cells(List.of(each), " hot")));
    runs.forEach(each -> columns.row(cells(each, "")));
    return columns;
  }

  /** All that must be alike in a row. */
  private static List<String> rest(JsonNode shard) {
    List<String> replicas = new ArrayList<>();
    shard.path("replicas").forEach(each -> replicas.add(each.asText()));
    return List.of(
        shard.path("group").asText(),
        shard.path("owner").asText("unknown"),
        shard.path("epoch").asText(),
        shard.path("rate").isNumber() ? "" : "unknown",
        String.join(" ", replicas));
  }

  private static String[] cells(List<JsonNode> run, String mark) {
    List<String> cells = new ArrayList<>(rest(run.get(0)));
    String first = run.get(0).path("shard").asText();
    String last = run.get(run.size() - 1).path("shard").asText();
    cells.add(0, run.size() == 1 ? first : first + "-" + last);
    if (cells.get(4).isEmpty()) {
      cells.set(4, run.stream().mapToLong(each -> each.path("rate").asLong()).sum() + "/s" + mark);
    }
    return cells.toArray(String[]::new);
  }

  private static Columns keys(JsonNode keys) {
    Columns columns = new Columns().row("rate", "of its shard", "shard", "owner", "key");
    for (JsonNode key : keys) {
      StringBuilder text = new StringBuilder(key.path("domain").asText());
      for (JsonNode entry : key.path("descriptor")) {
        text.append(' ').append(entry.path("key").asText());
        text.append('=').append(entry.path("value").asText());
      }
      columns.row(
          key.path("rate").asText() + "/s" + (key.path("hot").asBoolean() ? " hot" : ""),
          Math.round(100 * key.path("share").asDouble()) + " %",
          key.path("shard").asText(),
          key.path("owner").asText(),
          visible(text.toString()));
    }
    return columns;
  }

  /** Keys come from anybody: what a terminal would obey is shown as its number. */
  private static String visible(String text) {
    StringBuilder visible = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isObeyed = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
      visible.append(isObeyed ? "\\u%04x".formatted((int) c) : Character.toString(c));
    }
    return visible.toString();
  }
}
