package io.penstock.cli;

import io.penstock.cli.remote.Bench;
import io.penstock.cli.remote.Check;
import io.penstock.cli.remote.ClusterCommand;
import io.penstock.cli.remote.PolicyCommand;
import io.penstock.cli.remote.Shards;
import io.penstock.cli.simulate.Simulate;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The penstock program: reads the command line and runs one command. */
@Command(
    name = "penstock",
    description = "A rate limiter: one engine, from a library call to a replicated cluster.",
    subcommands = {
      Serve.class,
      Check.class,
      PolicyCommand.class,
      Shards.class,
      ClusterCommand.class,
      Bench.class,
      Simulate.class,
      Completion.class,
      Rehearse.class
    },
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:it failed; the message says why",
      "2:the command line is wrong",
      "3:the answer is no: denied, not found, a conflict, invalid, or different"
    },
    footer = "")
public final class Penstock implements Runnable {
  private static final Pattern OPTION =
      Pattern.compile("^Invalid value for option '(--[a-z-]+)'(?: \\([^)]*\\))?: ");

  @Spec CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    ITypeConverter<Long> whole = text -> whole(text, Long::valueOf);
    ITypeConverter<Integer> small = text -> whole(text, Integer::valueOf);
    return new CommandLine(new Penstock())
        .registerConverter(long.class, whole)
        .registerConverter(Long.class, whole)
        .registerConverter(int.class, small)
        .registerConverter(Integer.class, small)
        // An argument that begins with @ names the file of a policy, not of more arguments.
        .setExpandAtFiles(false)
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(Penstock::reject)
        .setExecutionExceptionHandler(Penstock::fail);
  }

  private static <T> T whole(String text, Function<String, T> read) {
    try {
      return read.apply(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(text + " (expected: a whole number)");
    }
  }

  @Override
  public void run() {
    String commands = String.join(", ", shown(spec));
    throw new ParameterException(
        spec.commandLine(), "command: none (expected: one of " + commands + ")");
  }

  private static int reject(ParameterException problem, String[] arguments) {
    CommandLine command = problem.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("penstock: " + message(problem));
    UnmatchedArgumentException.printSuggestions(problem, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String message(ParameterException problem) {
    CommandSpec command = problem.getCommandLine().getCommandSpec();
    if (!(problem instanceof UnmatchedArgumentException unmatched)) {
      return OPTION.matcher(String.valueOf(problem.getMessage())).replaceFirst("$1: ");
    }
    boolean isOption = unmatched.isUnknownOption();
    String name = isOption ? "option" : command.parent() == null ? "command" : "argument";
    Set<String> expected = isOption ? new TreeSet<>(command.optionsMap().keySet()) : shown(command);
    return String.format(
        Locale.ROOT,
        "%s: \"%s\" (expected: %s)",
        name,
        unmatched.getUnmatched().get(0),
        expected.isEmpty() ? "none" : String.join(", ", expected));
  }

  /** The commands that are for people. */
  private static Set<String> shown(CommandSpec command) {
    Set<String> names = new LinkedHashSet<>();
    command
        .subcommands()
        .forEach(
            (name, each) -> {
              if (!each.getCommandSpec().usageMessage().hidden()) {
                names.add(name);
              }
            });
    return names;
  }

  private static int fail(Exception problem, CommandLine command, ParseResult parsed) {
    return Failure.tell(problem, command.getErr());
  }
}
