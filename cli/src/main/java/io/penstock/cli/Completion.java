package io.penstock.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the script that completes penstock's commands and options in bash and zsh. */
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh: source <(penstock completion)")
final class Completion implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    CommandLine penstock = spec.root().commandLine();
    penstock.getOut().print(AutoComplete.bash(spec.root().name(), penstock));
  }
}
