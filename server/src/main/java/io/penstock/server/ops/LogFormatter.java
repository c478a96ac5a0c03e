package io.penstock.server.ops;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line per event: for people, or as JSON. Thread-safe. Whatever looks like a secret is blacked
 * out: no message should hold one, and this is for the day when one does.
 */
final class LogFormatter extends Formatter {
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)\\b(bearer\\s+|(?:password|secret|token|x-api-key|api[-_]?key|authorization)[\"']?"
              + "\\s*[:=]\\s*[\"']?(?:bearer\\s+)?)[^\\s\"',;)]{6,}");

  private final boolean json;

  LogFormatter(boolean json) {
    this.json = json;
  }

  @Override
  public String format(LogRecord event) {
    String message = redacted(formatMessage(event));
    Throwable thrown = event.getThrown();
    String trace = thrown == null ? null : redacted(trace(thrown));
    return json ? json(event, message, trace) : text(event, message, trace);
  }

  static String redacted(String text) {
    return SECRET.matcher(text).replaceAll("$1***");
  }

  private static String text(LogRecord event, String message, @Nullable String trace) {
    return String.format(
        Locale.ROOT,
        "%s %-7s %s%n%s",
        event.getInstant(),
        level(event.getLevel()),
        message.replaceAll("\\R", "\n  "),
        trace == null ? "" : trace);
  }

  private static String json(LogRecord event, String message, @Nullable String trace) {
    StringBuilder line = new StringBuilder("{\"time\":\"").append(event.getInstant());
    line.append("\",\"level\":\"").append(level(event.getLevel())).append('"');
    field(line, "logger", event.getLoggerName());
    field(line, "message", message);
    field(line, "exception", trace);
    return line.append("}\n").toString();
  }

  private static void field(StringBuilder line, String name, @Nullable String value) {
    if (value != null) {
      line.append(",\"").append(name).append("\":\"");
      JsonStringEncoder.getInstance().quoteAsString(value, line);
      line.append('"');
    }
  }

  private static String level(Level level) {
    return level.intValue() >= Level.SEVERE.intValue()
        ? "error"
        : level.intValue() >= Level.WARNING.intValue()
            ? "warning"
            : level.intValue() >= Level.INFO.intValue() ? "info" : "debug";
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, /* autoFlush= */ true));
    return text.toString();
  }
}
