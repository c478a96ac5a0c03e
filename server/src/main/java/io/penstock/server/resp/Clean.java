package io.penstock.server.resp;

/** Makes what came from a client fit for an error line: one line, printable, short. */
final class Clean {
  private static final int QUOTED_CHARS_MAX = 64;

  private Clean() {}

  /** A text without anything that could end or forge a line. */
  static String line(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      clean.append(c >= ' ' && c < 0x7f ? c : '?');
    }
    return clean.toString();
  }

  /** The beginning of a text, long enough to recognise it. */
  static String cut(String text) {
    return line(
        text.length() <= QUOTED_CHARS_MAX ? text : text.substring(0, QUOTED_CHARS_MAX) + "...");
  }
}
