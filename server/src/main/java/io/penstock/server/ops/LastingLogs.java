package io.penstock.server.ops;

import java.util.logging.LogManager;

/** Logging that is not switched off when the process is told to end. Made by Java, by its name. */
public final class LastingLogs extends LogManager {
  @Override
  public void reset() {
    // Called when the process begins to end, which is when the log matters.
  }
}
