package io.penstock.server.ops;

import io.penstock.server.config.ServerConfig.LogFormat;
import io.penstock.server.config.ServerConfig.LogLevel;
import java.io.PrintStream;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Sends the log of the whole process to one stream, line by line. */
public final class Logs {
  /** The launcher sets it: Java itself cannot tell whether standard error is a terminal. */
  private static final String TERMINAL = "penstock.terminal";

  private Logs() {}

  /**
   * Keeps the log until the process has ended: by itself Java closes it as soon as a signal comes,
   * and what the server says while it drains would be lost. To be called before anything is logged.
   */
  public static void keepUntilTheEnd() {
    System.setProperty("java.util.logging.manager", LastingLogs.class.getName());
  }

  /** Replaces what the process logs to. */
  public static void install(LogFormat format, LogLevel level, PrintStream stream) {
    boolean json =
        format == LogFormat.JSON || (format == LogFormat.AUTO && !Boolean.getBoolean(TERMINAL));
    Logger root = Logger.getLogger("");
    for (Handler each : root.getHandlers()) {
      root.removeHandler(each);
    }
    root.setLevel(level(level));
    for (Logger each : Libraries.LOGGERS) {
      each.setLevel(Level.WARNING);
    }
    Libraries.RAFT.setLevel(level == LogLevel.DEBUG ? Level.INFO : Level.OFF);
    Handler handler = new StreamLines(stream);
    handler.setFormatter(new LogFormatter(json));
    root.addHandler(handler);
  }

  private static Level level(LogLevel level) {
    return switch (level) {
      case ERROR -> Level.SEVERE;
      case WARNING -> Level.WARNING;
      case INFO -> Level.INFO;
      case DEBUG -> Level.FINE;
    };
  }

  /** Those of others, of which only trouble is told; apart, for naming them starts the log. */
  private static final class Libraries {
    /** Kept, or the garbage collector would take their levels with them. */
    static final List<Logger> LOGGERS =
        Stream.of("io.netty", "io.vertx", "io.grpc").map(Logger::getLogger).toList();

    /**
     * To it every node that goes is trouble, with a trace; what matters of that we say ourselves.
     */
    static final Logger RAFT = Logger.getLogger("org.apache.ratis");
  }

  /** Writes and flushes each line: what was logged before a crash is there after it. */
  private static final class StreamLines extends Handler {
    private final PrintStream stream;

    StreamLines(PrintStream stream) {
      this.stream = stream;
    }

    @Override
    public void publish(LogRecord event) {
      if (isLoggable(event)) {
        stream.print(getFormatter().format(event));
        stream.flush();
      }
    }

    @Override
    public void flush() {
      stream.flush();
    }

    @Override
    public void close() {}
  }
}
