package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.policy.FileText;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyDocument;
import io.penstock.server.policy.PolicyFile;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that looks for mistakes in a policy without a server. */
@Command(
    name = "validate",
    sortOptions = false,
    description = "Tell every mistake of a policy, or of a policy file, without a server.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:valid", "1:it failed", "2:the command line is wrong", "3:invalid"})
final class PolicyValidate implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "POLICY",
      description = "The policy, as for put, or @FILE.yaml with many.")
  String policy;

  @Option(names = "--tier", description = "It is the document of a tier.")
  boolean tier;

  @Option(names = "--json", description = "Print JSON: {\"valid\":false,\"problems\":[...]}.")
  boolean json;

  private final List<String> warnings = new ArrayList<>();
  private List<Problem> problems = List.of();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    look(PolicyText.document(policy));
    warnings.forEach(each -> spec.commandLine().getErr().println("penstock: warning: " + each));
    if (json) {
      ObjectNode outcome = json(problems);
      if (!warnings.isEmpty()) {
        warnings.forEach(outcome.putArray("warnings")::add);
      }
      out.println(outcome);
    } else {
      problems.forEach(out::println);
      if (problems.isEmpty()) {
        out.println("valid");
      }
    }
    return problems.isEmpty() ? Reply.DONE : Reply.NO;
  }

  /** What is wrong, each as the server tells it. */
  static ObjectNode json(List<Problem> problems) {
    ObjectNode outcome = Connection.JSON.createObjectNode().put("valid", problems.isEmpty());
    ArrayNode all = outcome.putArray("problems");
    for (Problem each : problems) {
      all.addObject()
          .put("field", each.field())
          .put("value", each.value())
          .put("expected", each.expected());
    }
    return outcome;
  }

  private void look(String document) {
    try {
      if (policy.matches("@.*\\.ya?ml")) {
        FileText text = PolicyFile.read(document);
        problems = text.problems();
        text.tiersElsewhere().forEach(this::warnOf);
        return;
      }
      problems = PolicyDocument.problems(tier ? Kind.TIER : Kind.POLICY, document);
      if (problems.isEmpty() && !tier) {
        String name = PolicyDocument.parse(Kind.POLICY, document).tier();
        if (name != null) {
          warnOf(name);
        }
      }
    } catch (InvalidPolicyException invalid) {
      problems = invalid.problems();
    }
  }

  /** Whether there is such a tier, and what it says, only the server knows. */
  private void warnOf(String name) {
    warnings.add("tier " + name + ": not looked up (expected: a tier that the server has)");
  }
}
