package io.penstock.cli.simulate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How wide the terminal is and whether it shows colours. Immutable. */
record Terminal(int columns, boolean colour) {
  private static final int COLUMNS_DEFAULT = 80;
  private static final int COLUMNS_MIN = 60;
  private static final int COLUMNS_MAX = 160;

  /** What a text means, and how a terminal shows it. */
  enum Ink {
    HEAD("1"),
    NOTE("2"),
    OFFERED("36"),
    ADMITTED("32"),
    OVER("1;33"),
    DENIED("31");

    private final String code;

    Ink(String code) {
      this.code = code;
    }
  }

  /**
   * A terminal as wide as asked for; or as the environment says, as it is, or of 80 columns, but no
   * wider or narrower than may be asked for.
   */
  static Terminal of(boolean colour, @Nullable Integer asked, @Nullable String environment) {
    int columns = asked != null ? asked : fromEnvironment(environment);
    int bounded = Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, columns));
    if (asked != null && bounded != asked) {
      throw new IllegalArgumentException(
          "columns: " + asked + " (expected: " + COLUMNS_MIN + ".." + COLUMNS_MAX + ")");
    }
    return new Terminal(bounded, colour);
  }

  @SuppressWarnings("SystemConsoleNull") // where it is never null, asking no terminal gives 0
  private static int fromEnvironment(@Nullable String columns) {
    if (columns != null && columns.matches("[1-9]\\d{0,4}")) {
      return Integer.parseInt(columns);
    }
    int found = System.console() == null ? 0 : ask();
    return found == 0 ? COLUMNS_DEFAULT : found;
  }

  /** Shells keep COLUMNS to themselves, so the terminal is asked; 0 when it does not answer. */
  private static int ask() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
      String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      stty.waitFor(1, TimeUnit.SECONDS);
      return size.strip().matches("\\d{1,5} \\d{1,5}")
          ? Integer.parseInt(size.strip().split(" ", -1)[1])
          : 0;
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  String paint(Ink ink, String text) {
    return colour && !text.isBlank() ? "\u001b[" + ink.code + "m" + text + "\u001b[0m" : text;
  }
}
