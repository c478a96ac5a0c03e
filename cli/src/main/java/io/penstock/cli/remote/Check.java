package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

/** The command that asks for one decision. */
@Command(
    name = "check",
    sortOptions = false,
    description = "Ask a server for a decision, which consumes.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:allowed", "1:it failed", "2:the command line is wrong", "3:denied"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  penstock check api user=42",
      "  penstock check api plan=free user=42 + ip=10.0.0.1   two descriptors",
      "  penstock check api user=42 --cost 0                  only look"
    })
public final class Check implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Parameters(index = "0", paramLabel = "DOMAIN", description = "The domain.")
  String domain;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "KEY=VALUE",
      description = "The entries of a descriptor; a + begins the next descriptor.")
  List<String> entries;

  @Option(
      names = "--cost",
      paramLabel = "N",
      defaultValue = "1",
      description = "What it takes; 0 only looks, a negative one gives back. Default: 1.")
  long cost;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "A request id: the repetition of a check consumes nothing.")
  @Nullable String id;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Reply reply = connection.send("POST", "/v1/check", question().toString());
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    if (connection.json) {
      out.println(reply.body());
    } else {
      print(reply.json(), out);
    }
    return reply.json().path("allowed").asBoolean() ? Reply.DONE : Reply.NO;
  }

  private ObjectNode question() {
    ObjectNode question = Connection.JSON.createObjectNode();
    question.put("domain", domain);
    ArrayNode descriptors = question.putArray("descriptors");
    ArrayNode descriptor = descriptors.addArray();
    for (String entry : entries) {
      int equals = entry.indexOf('=');
      if (entry.equals("+")) {
        descriptor = descriptors.addArray();
      } else if (equals < 1) {
        throw new ParameterException(
            spec.commandLine(), "entry: \"" + entry + "\" (expected: KEY=VALUE)");
      } else {
        descriptor
            .addObject()
            .put("key", entry.substring(0, equals))
            .put("value", entry.substring(equals + 1));
      }
    }
    question.put("cost", cost);
    if (id != null) {
      question.put("requestId", id);
    }
    return question;
  }

  private static void print(JsonNode answer, PrintWriter out) {
    Columns columns = new Columns();
    columns.row(answer.path("allowed").asBoolean() ? "allowed" : "denied", reason(answer));
    if (answer.path("policy").isTextual()) {
      columns.row(
          "policy",
          answer.path("policy").asText() + " (version " + answer.path("policyVersion") + ")");
    }
    if (answer.path("limit").isNumber()) {
      columns.row("left", answer.path("remaining") + " of " + answer.path("limit"));
      columns.row("full again", Millis.told(answer.path("resetAfterMs").asLong()));
    }
    if (!answer.path("allowed").asBoolean()) {
      long retry = answer.path("retryAfterMs").asLong();
      columns.row("retry", retry < 0 ? "never" : Millis.told(retry));
    }
    columns.row(
        "decided by",
        answer.path("decidedBy").asText() + ", durability " + answer.path("durability").asText());
    columns.print(out);
    if (answer.path("results").size() > 1) {
      out.println();
      results(answer.path("results")).print(out);
    }
  }

  private static String reason(JsonNode answer) {
    return answer.path("reason").asText()
        + (answer.path("duplicate").asBoolean() ? ", as answered before" : "");
  }

  private static Columns results(JsonNode results) {
    Columns columns = new Columns().row("descriptor", "", "reason", "policy", "left");
    for (int i = 0; i < results.size(); i++) {
      JsonNode each = results.get(i);
      columns.row(
          String.valueOf(i + 1),
          each.path("allowed").asBoolean() ? "allowed" : "denied",
          each.path("reason").asText(),
          each.path("policy").asText("none"),
          each.path("limit").isNumber()
              ? each.path("remaining") + " of " + each.path("limit")
              : "");
    }
    return columns;
  }
}
