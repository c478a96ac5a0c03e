package io.penstock.cli.remote;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands about the nodes of a cluster. */
@Command(
    name = "cluster",
    description = "See the nodes of a cluster, and take the lead from one.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {ClusterStatus.class, ClusterDrain.class},
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:it failed", "2:the command line is wrong", "3:not found"})
public final class ClusterCommand implements Runnable {
  private static final int NOT_DONE = 1;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    String commands = String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(
        spec.commandLine(), "command: none (expected: one of " + commands + ")");
  }

  @Command(description = "Add a node: not offered yet.")
  int add(@Parameters(paramLabel = "NODE=HOST:PORT", arity = "0..*") List<String> nodes) {
    return refused("add");
  }

  @Command(description = "Remove a node: not offered yet.")
  int remove(@Parameters(paramLabel = "NODE", arity = "0..*") List<String> nodes) {
    return refused("remove");
  }

  @Command(description = "Move shards to a node: not offered yet.")
  int move(@Parameters(paramLabel = "SHARD NODE", arity = "0..*") List<String> arguments) {
    return refused("move");
  }

  private int refused(String command) {
    String expected = " (expected: the nodes that --peers names from the start)";
    spec.commandLine()
        .getErr()
        .println("penstock: cluster " + command + ": not offered yet" + expected);
    return NOT_DONE;
  }
}
