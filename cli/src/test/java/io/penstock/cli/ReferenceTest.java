package io.penstock.cli;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.server.config.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the reference says of the program is true of it. */
class ReferenceTest {
  private static final Path REFERENCE = Path.of("..", "docs", "reference", "cli.md");
  private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ penstock ((?:.*\\\\\n)*.*)$");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  private static String reference() throws IOException {
    return Files.readString(REFERENCE);
  }

  @Test
  void examples_all_print_whatFollowsThem() throws IOException {
    List<String> commands =
        COMMAND.matcher(reference()).results().map(match -> match.group(1)).toList();
    assertThat(commands).isNotEmpty();
    for (String command : commands) {
      StringWriter out = new StringWriter();
      CommandLine penstock =
          Penstock.commandLine(new PrintWriter(out), new PrintWriter(new StringWriter()));
      assertThat(penstock.execute(words(command))).as(command).isZero();
      String shown = shownAfter(command);
      assertThat(shown).as(command).isNotEmpty();
      assertThat(out.toString()).as(command).startsWith(shown);
    }
  }

  /** What the reference shows of the output: up to an ellipsis or the end of the block. */
  private static String shownAfter(String command) throws IOException {
    String text = reference();
    int from = text.indexOf(command) + command.length();
    String block = text.substring(from, text.indexOf("```", from));
    return block.replaceAll("(?s)\n(\\$ |…).*", "").strip();
  }

  private static String[] words(String command) {
    String columns = command.startsWith("simulate") ? " --columns 80" : "";
    Matcher matcher = WORD.matcher(command.replace("\\\n", " ") + columns);
    return matcher
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toArray(String[]::new);
  }

  @Test
  void reference_options_areAllNamed() throws IOException {
    CommandLine penstock =
        Penstock.commandLine(
            new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
    named(penstock, reference());
  }

  /** The settings of the server have a table of their own, which its own test compares. */
  private static void named(CommandLine parent, String reference) {
    for (CommandLine command : parent.getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec();
      if (!spec.usageMessage().hidden()) {
        assertThat(reference).contains(spec.qualifiedName());
        for (OptionSpec option : spec.options()) {
          boolean isSetting = Setting.byKey(option.longestName().substring(2)) != null;
          if (!spec.name().equals("serve") || !isSetting) {
            assertThat(reference).contains("`" + option.longestName());
          }
        }
        named(command, reference);
      }
    }
  }

  @Test
  void reference_algorithms_areAllNamed() throws IOException {
    for (Algorithm algorithm : Algorithm.all()) {
      if (algorithm != Algorithm.CONCURRENCY) {
        assertThat(reference()).contains("`" + algorithm.name() + "`");
      }
    }
  }

  @Test
  void reference_json_namesWhatIsPrinted() throws IOException {
    StringWriter out = new StringWriter();
    String[] command = {"simulate", "--limit", "9/s", "--traffic", "burst 9 for 1s", "--json"};
    Penstock.commandLine(new PrintWriter(out), new PrintWriter(out)).execute(command);
    String section = reference().replaceAll("(?s).*\n### JSON\n.*?\n\\|---", "");
    assertThat(names("`(\\w+)`", section)).isEqualTo(names("\"(\\w+)\":", out.toString()));
  }

  private static Set<String> names(String form, String text) {
    return Pattern.compile(form)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(toCollection(TreeSet::new));
  }
}
