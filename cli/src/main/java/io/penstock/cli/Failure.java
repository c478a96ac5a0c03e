package io.penstock.cli;

import io.penstock.server.config.InvalidConfigException;
import java.io.PrintWriter;

/** How a command that failed says so. Stateless. */
final class Failure {
  private static final int FAILED = 1;
  private static final int INVALID = 2;

  private Failure() {}

  /** Tells what went wrong; gives the exit status. */
  static int tell(Throwable problem, PrintWriter err) {
    if (problem instanceof InvalidConfigException invalid) {
      invalid.problems().forEach(each -> err.println("penstock: " + each));
      return INVALID;
    }
    String message = problem.getMessage();
    err.println("penstock: " + (message == null || problem instanceof Error ? problem : message));
    return FAILED;
  }
}
