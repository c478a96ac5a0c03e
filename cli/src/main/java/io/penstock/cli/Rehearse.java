package io.penstock.cli;

import io.penstock.server.Rehearsal;
import io.penstock.server.config.ServerConfig.LogFormat;
import io.penstock.server.config.ServerConfig.LogLevel;
import io.penstock.server.ops.Logs;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The command by which the launcher makes the next start short. */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Run a server for a moment, while the JVM writes down what that takes.")
final class Rehearse implements Callable<Integer> {
  @Override
  public Integer call() throws IOException, InterruptedException {
    Logs.install(LogFormat.TEXT, LogLevel.INFO, System.err);
    Rehearsal.run();
    return 0;
  }
}
