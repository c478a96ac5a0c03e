package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.cli.remote.ApplyPlan.Step;
import io.penstock.server.policy.FileText;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyFile;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that brings a whole policy file to a server. */
@Command(
    name = "apply",
    sortOptions = false,
    description = {
      "Create and replace policies and tiers so that a server has those of a policy file.",
      "If anything in the file is wrong, nothing changes."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:it failed",
      "2:the command line is wrong",
      "3:invalid, or refused by the server"
    })
final class PolicyApply implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin Connection connection;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      required = true,
      description = "The policy file; - is standard input.")
  String file;

  @Option(names = "--prune", description = "Delete what the file does not have.")
  boolean prune;

  @Override
  public Integer call() throws IOException {
    try {
      return apply(PolicyFile.read(PolicyText.document("@" + file)));
    } catch (InvalidPolicyException invalid) {
      return invalid(invalid.problems());
    }
  }

  /** A file that is wrong by itself is told to be so also where the server does not answer. */
  private int apply(FileText text) throws IOException {
    boolean isWrong = !text.problems().isEmpty();
    ApplyPlan plan = new ApplyPlan(text, prune);
    try {
      Reply refused = look(plan);
      if (refused != null) {
        return isWrong ? invalid(text.problems()) : connection.refused(refused);
      }
    } catch (IOException e) {
      if (isWrong) {
        return invalid(text.problems());
      }
      throw e;
    }
    List<Problem> problems = plan.problems();
    return problems.isEmpty() ? carryOut(plan) : invalid(problems);
  }

  private int invalid(List<Problem> problems) {
    if (connection.json) {
      spec.commandLine().getOut().println(PolicyValidate.json(problems));
    }
    PrintWriter err = spec.commandLine().getErr();
    err.println("penstock: " + file + ": nothing is changed (expected: a valid policy file)");
    problems.forEach(problem -> err.println("  " + problem));
    return Reply.NO;
  }

  private @Nullable Reply look(ApplyPlan plan) throws IOException {
    for (Kind kind : Kind.values()) {
      Pages.End end =
          Pages.read(
              connection,
              kind,
              /* after= */ "",
              Integer.MAX_VALUE,
              document -> plan.found(kind, document));
      if (end.refused() != null) {
        return end.refused();
      }
    }
    return null;
  }

  private int carryOut(ApplyPlan plan) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<Step> steps = plan.steps();
    int done = 0;
    for (Step step : steps) {
      Reply reply = send(step);
      if (!reply.isDone()) {
        err.println(
            "penstock: " + step.name() + ": " + done + " of " + steps.size() + " changes are done");
        return connection.refused(reply);
      }
      tell(step, reply);
      done++;
    }
    if (!connection.json) {
      out.println(summary(plan, steps));
    }
    return Reply.DONE;
  }

  /** Carries out a change, if the document is still as it was seen. */
  private Reply send(Step step) throws IOException {
    String path = PolicyCommand.path(step.name());
    String tag = "\"" + step.version() + "\"";
    if (step.document() == null) {
      return connection.send("DELETE", path, /* body= */ null, "If-Match", tag);
    }
    return step.version() == 0
        ? connection.send("PUT", path, step.document(), "If-None-Match", "*")
        : connection.send("PUT", path, step.document(), "If-Match", tag);
  }

  private void tell(Step step, Reply reply) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    String document = step.document();
    if (!connection.json) {
      out.println(step.text(Connection.JSON.readTree(document == null ? "{}" : document)));
    } else {
      out.println(document == null ? PolicyDelete.json(step.name()) : reply.body());
    }
    for (JsonNode warning : reply.json().path("warnings")) {
      spec.commandLine()
          .getErr()
          .println("penstock: warning: " + step.name() + ": " + warning.asText());
    }
  }

  private String summary(ApplyPlan plan, List<Step> steps) {
    long deleted = steps.stream().filter(step -> step.document() == null).count();
    long created = steps.stream().filter(step -> step.version() == 0).count();
    long replaced = steps.size() - deleted - created;
    long same = plan.size() - created - replaced;
    String others =
        prune || plan.others() == 0
            ? ""
            : "; " + plan.others() + " not in the file (--prune deletes them)";
    return "%d created, %d replaced, %d deleted, %d unchanged%s"
        .formatted(created, replaced, deleted, same, others);
  }
}
