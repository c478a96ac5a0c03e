package io.penstock.cli.remote;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about policies; each is a class of its own. */
@Command(
    name = "policy",
    description = "See and change the policies and tiers of a server.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      PolicyList.class,
      PolicyGet.class,
      PolicyPut.class,
      PolicyApply.class,
      PolicyDelete.class,
      PolicyHistory.class,
      PolicyDiff.class,
      PolicyValidate.class
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:it failed",
      "2:the command line is wrong",
      "3:not found, a conflict, invalid, or different"
    })
public final class PolicyCommand implements Runnable {
  /** Begins the name of a tier where a scope may stand too. */
  static final String TIER = "tier:";

  static final String NAME = "The scope, such as api/user, or a tier, such as tier:free.";

  @Spec CommandSpec spec;

  /** Where a document is: a tier by {@code tier:NAME}, a policy by its scope. */
  static String path(String name) {
    return name.startsWith(TIER)
        ? "/v1/tiers/" + Connection.segment(name.substring(TIER.length()))
        : "/v1/policies/" + Connection.segment(name);
  }

  @Override
  public void run() {
    String commands = String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(
        spec.commandLine(), "command: none (expected: one of " + commands + ")");
  }
}
