package io.penstock.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is logged while this is open. Thread-safe. */
public final class LogLines implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Handler ear = new Ear();

  /**
   * Listens.
   *
   * @param name of a class or a package; empty for all of them
   * @param least what is not heard is below this
   */
  public LogLines(String name, Level least) {
    ear.setLevel(Checks.given("least", least, "a level"));
    logger = Logger.getLogger(Checks.given("name", name, "a name, or an empty text"));
    logger.addHandler(ear);
  }

  /** The messages so far, in order. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.removeHandler(ear);
  }

  private final class Ear extends Handler {
    private final SimpleFormatter text = new SimpleFormatter();

    @Override
    public void publish(LogRecord entry) {
      if (isLoggable(entry)) {
        lines.add(text.formatMessage(entry));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
