package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The packaged program, as a process of its own. */
class PenstockIT {
  private static String run(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            System.getProperty("penstock.jar", "penstock.jar"));
    builder.command().addAll(List.of(arguments));
    // A JVM in a POSIX locale prints no bars unless the program sees to it.
    builder.environment().put("LC_ALL", "POSIX");
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + ": " + output;
  }

  @Test
  void version_ofTheJar_isThatOfTheBuild() throws Exception {
    assertThat(run("--version")).matches("0: penstock \\d+\\.\\d+\\.\\d+\\R");
  }

  @Test
  void simulate_posixLocale_printsBarsInUtf8() throws Exception {
    assertThat(run("simulate", "--limit", "10/s", "--traffic", "burst 20 for 2s"))
        .startsWith("0: limit    10/s")
        .contains("█", "÷");
  }

  @Test
  void command_unknown_isStatus2() throws Exception {
    assertThat(run("pour")).startsWith("2: penstock: command: \"pour\"");
  }
}
