package io.penstock.server.http;

/**
 * What the field {@code Host} may hold: a name or an address, and perhaps a port (RFC 9110, 7.2).
 * Stateless.
 *
 * <p>A comma is legal in a name, but stands for two hosts where somebody has joined the fields; an
 * escaped name nobody uses. Neither is taken.
 */
final class Host {
  private static final String MARKS = "-._~!$&'()*+;=";
  private static final int PORT_DIGITS_MAX = 5;

  private Host() {}

  static boolean isValid(byte[] bytes, int from, int to) {
    int at = from;
    if (at < to && bytes[at] == '[') {
      do {
        at++;
      } while (at < to && isAddress(bytes[at]));
      if (at == to || bytes[at] != ']' || at == from + 1) {
        return false;
      }
      at++;
    } else {
      while (at < to && isName(bytes[at])) {
        at++;
      }
    }
    return at > from && (at == to || (bytes[at] == ':' && isPort(bytes, at + 1, to)));
  }

  private static boolean isName(byte b) {
    return isLetterOrDigit(b) || MARKS.indexOf(b) >= 0;
  }

  private static boolean isAddress(byte b) {
    return isLetterOrDigit(b) || b == ':' || b == '.';
  }

  private static boolean isLetterOrDigit(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
  }

  private static boolean isPort(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return from < to && to - from <= PORT_DIGITS_MAX;
  }
}
