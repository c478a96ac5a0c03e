package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.config.Setting;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PenstockTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Penstock.commandLine(new PrintWriter(out), new PrintWriter(err)).execute(arguments);
  }

  private String out() {
    return out.toString();
  }

  private String err() {
    return err.toString();
  }

  @Test
  void version_always_namesTheProgram() {
    assertThat(run("--version")).isZero();
    assertThat(out()).startsWith("penstock ");
  }

  @Test
  void help_always_listsCommandsAndExitStatus() {
    assertThat(run("--help")).isZero();
    assertThat(out())
        .contains("serve", "simulate", "Exit status:", "2   the command line", "3   the answer");
    assertThat(out()).doesNotContain("rehearse");
    assertThat(out()).endsWith("\n");
  }

  @Test
  void simulateHelp_always_holdsTheGrammar() {
    assertThat(run("simulate", "--help")).isZero();
    assertThat(out()).contains("burst N [at TIME] [every TIME] [for TIME]", "poisson RATE for");
    assertThat(out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void command_missing_isStatus2() {
    assertThat(run()).isEqualTo(2);
    assertThat(err())
        .startsWith(
            "penstock: command: none (expected: one of serve, check, policy, shards, cluster,"
                + " bench, simulate,")
        .contains("Try 'penstock --help'.");
  }

  @Test
  void command_unknown_isStatus2AndSuggestsOne() {
    assertThat(run("simulat")).isEqualTo(2);
    assertThat(err())
        .startsWith(
            "penstock: command: \"simulat\" (expected: serve, check, policy, shards, cluster,"
                + " bench, simulate,")
        .contains("penstock simulate");
  }

  @Test
  void option_unknown_isStatus2AndListsThem() {
    assertThat(run("simulate", "--limit", "1/s", "--traffic", "idle for 1s", "--speed", "3"))
        .isEqualTo(2);
    assertThat(err())
        .startsWith("penstock: option: \"--speed\" (expected: --algorithm, --columns, --help");
  }

  @Test
  void option_missing_isStatus2() {
    assertThat(run("simulate", "--limit", "1/s")).isEqualTo(2);
    assertThat(err()).contains("Missing required option: '--traffic=PATTERN'");
  }

  @Test
  void limitOrTraffic_wrong_isStatus2AndSaysWhatWasExpected() {
    assertThat(run("simulate", "--limit", "many", "--traffic", "idle for 1s")).isEqualTo(2);
    assertThat(err()).startsWith("penstock: --limit: limit: \"many\" (expected: COUNT/PERIOD");
    assertThat(run("simulate", "--limit", "1/s", "--traffic", "steady 3")).isEqualTo(2);
    assertThat(err())
        .contains("penstock: --traffic: traffic: \"3\" after \"steady\" (expected: a rate");
  }

  @Test
  void algorithm_unknown_isStatus2AndListsThem() {
    assertThat(run("simulate", "--limit", "1/s", "--traffic", "burst 1", "--algorithm", "x"))
        .isEqualTo(2);
    assertThat(err()).contains("algorithm: \"x\" (expected: all, gcra, token-bucket");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "59", "161", "200"})
  void columns_outOfBounds_isStatus2AndSaysWhatWasExpected(String columns) {
    assertThat(run("simulate", "--limit", "1/s", "--traffic", "burst 1", "--columns", columns))
        .isEqualTo(2);
    assertThat(err()).startsWith("penstock: columns: " + columns + " (expected: 60..160)");
    assertThat(out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seed", "--columns"})
  void number_wrong_isStatus2AndSaysWhatWasExpected(String option) {
    assertThat(run("simulate", "--limit", "1/s", "--traffic", "burst 1", option, "x")).isEqualTo(2);
    assertThat(err()).startsWith("penstock: " + option + ": x (expected: a whole number)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gcra,,", ",gcra", "", ","})
  void algorithm_withoutName_isStatus2(String names) {
    assertThat(run("simulate", "--limit", "1/s", "--traffic", "burst 1", "--algorithm", names))
        .isEqualTo(2);
    assertThat(err()).contains("algorithm: \"\" (expected: all, gcra");
  }

  @Test
  void limit_tooLargeForItsLog_isStatus2() {
    String[] arguments = {
      "simulate", "--limit", "100000000/s", "--traffic", "burst 1", "--columns", "80"
    };
    assertThat(run(arguments)).as("the others").isZero();
    assertThat(out()).contains("sliding-window-log cannot: limit: 100000000/s (expected: a log");
    String[] log = Arrays.copyOf(arguments, arguments.length + 2);
    log[arguments.length] = "--algorithm";
    log[arguments.length + 1] = "sliding-window-log";
    assertThat(run(log)).isEqualTo(2);
    assertThat(err())
        .startsWith("penstock: sliding-window-log cannot: limit: 100000000/s (expected: a log");
  }

  @Test
  void simulate_sameSeed_printsTheSame() {
    String[] arguments = {"simulate", "--limit", "10/s", "--traffic", "poisson 15/s for 30s"};
    assertThat(run(arguments)).isZero();
    String first = out();
    out.getBuffer().setLength(0);
    assertThat(run(arguments)).isZero();
    assertThat(out()).isEqualTo(first).contains("seed 1");
    assertThat(err()).isEmpty();
  }

  @Test
  void simulate_someAlgorithms_showsOnlyThose() {
    String names = "token-bucket,fixed-window";
    assertThat(run("simulate", "--limit", "9/s", "--traffic", "burst 9", "--algorithm", names))
        .isZero();
    assertThat(out()).contains("token-bucket", "fixed-window").doesNotContain("gcra", "queue");
  }

  @Test
  void simulate_html_writesThePageAndKeepsStandardOutput(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("page.html");
    String[] arguments = {
      "simulate", "--limit", "9/s", "--traffic", "burst 9", "--json", "--html", page.toString()
    };
    assertThat(run(arguments)).isZero();
    assertThat(Files.readString(page)).startsWith("<!doctype html>").contains("fixed-window");
    assertThat(out()).startsWith("{").hasLineCount(1);
    assertThat(err()).startsWith("wrote ");
  }

  @Test
  void simulate_htmlThatCannotBeWritten_isStatus1(@TempDir Path folder) {
    Path page = folder.resolve("missing").resolve("page.html");
    String[] arguments = {
      "simulate", "--limit", "9/s", "--traffic", "burst 9", "--html", page.toString()
    };
    assertThat(run(arguments)).isEqualTo(1);
    assertThat(err()).startsWith("penstock: html: " + page).contains("NoSuchFile");
  }

  @Test
  void serve_wrongSettings_isStatus2AndTellsAll() {
    assertThat(run("serve", "--http-port", "x", "--memory", "much", "--host", "0.0.0.0"))
        .isEqualTo(2);
    assertThat(err().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("penstock: "))
        .anyMatch(line -> line.contains("http-port: x (expected: a number in 0..65535)"))
        .anyMatch(line -> line.contains("authentication") && line.contains("--insecure"));
    assertThat(out()).isEmpty();
  }

  @Test
  void serve_help_listsEverySetting() {
    assertThat(run("serve", "--help")).isZero();
    for (Setting setting : Setting.values()) {
      assertThat(out()).contains("--" + setting.key());
    }
    assertThat(out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void completion_always_printsAScript() {
    assertThat(run("completion")).isZero();
    assertThat(out())
        .startsWith("#!")
        .contains("simulate", "--traffic", "--tiers", "--api-key", "\"resp\" \"http\" \"grpc\"");
  }
}
