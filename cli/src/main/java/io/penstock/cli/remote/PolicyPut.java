package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that creates or replaces a policy or a tier. */
@Command(
    name = "put",
    sortOptions = false,
    description = "Create or replace the policy of a scope, or a tier.",
    footerHeading = "%nPolicies:%n",
    footer = {
      "  POLICY is one of",
      "    \"100/s burst 200; 10000/day\"             limits",
      "    '{\"limits\":[\"100/s\"],\"shadow\":true}'   a document",
      "    @FILE          a document in a file; @- is standard input",
      "  It replaces the version that is there when the command starts. As `policy get --json`",
      "  prints it, with its version, it replaces that one: so nobody else's change is lost."
    })
final class PolicyPut implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Parameters(index = "0", paramLabel = "SCOPE", description = PolicyCommand.NAME)
  String scope;

  @Parameters(index = "1", paramLabel = "POLICY", description = "What is allowed; see below.")
  String policy;

  @Option(names = "--create", description = "Only if there is none.")
  boolean create;

  @Option(
      names = "--if-version",
      paramLabel = "N",
      description = "Only if this is the version that is there.")
  @Nullable Long version;

  @Option(names = "--forgive", description = "Cut what keys owe beyond the new capacity.")
  boolean forgive;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Reply reply = put(Proposal.read(scope, PolicyText.document(policy)));
    if (!reply.isDone()) {
      return connection.refused(reply);
    }
    if (connection.json) {
      out.println(reply.body());
      return Reply.DONE;
    }
    String verb = reply.status() == 201 ? "created" : "replaced";
    out.println(verb + " " + scope + ", version " + reply.json().path("version"));
    for (JsonNode warning : reply.json().path("warnings")) {
      spec.commandLine().getErr().println("penstock: warning: " + warning.asText());
    }
    return Reply.DONE;
  }

  /* What somebody else has written since it was looked at is never replaced unseen. */
  private Reply put(Proposal proposal) throws IOException {
    Long replaced = version == null ? proposal.version() : version;
    if (create) {
      return put(proposal.document(), "If-None-Match", "*");
    }
    if (replaced != null) {
      return put(proposal.document(), "If-Match", tag(replaced));
    }
    Reply before = connection.send("GET", PolicyCommand.path(scope), /* body= */ null);
    if (before.isDone()) {
      return put(proposal.document(), "If-Match", tag(before.json().path("version").asLong()));
    }
    return before.status() == 404 ? put(proposal.document(), "If-None-Match", "*") : before;
  }

  private static String tag(long number) {
    return "\"" + number + "\"";
  }

  private Reply put(String document, String condition, String tag) throws IOException {
    String query = forgive ? "?forgive=true" : "";
    return connection.send("PUT", PolicyCommand.path(scope) + query, document, condition, tag);
  }
}
