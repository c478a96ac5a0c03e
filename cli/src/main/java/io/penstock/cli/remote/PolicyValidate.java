package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyDocument;
import io.penstock.server.policy.PolicyFile;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.io.PrintWriter;
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

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Problem> problems = problems(PolicyText.document(policy));
    if (json) {
      out.println(json(problems));
    } else {
      problems.forEach(out::println);
      if (problems.isEmpty()) {
        out.println("valid");
      }
    }
    return problems.isEmpty() ? Reply.DONE : Reply.NO;
  }

  /** What is wrong, each as the server tells it. */
  static JsonNode json(List<Problem> problems) {
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

  private List<Problem> problems(String document) {
    if (policy.matches("@.*\\.ya?ml")) {
      return PolicyFile.problems(document);
    }
    return PolicyDocument.problems(tier ? Kind.TIER : Kind.POLICY, document);
  }
}
