package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Splits a line that somebody typed into arguments, with quotes and escapes as Redis reads them.
 * The line is rewritten where it lies: an argument is never longer than what stands for it.
 */
final class Inline {
  private static final byte[] POST = "POST".getBytes(US_ASCII);
  private static final byte[] HOST = "HOST:".getBytes(US_ASCII);

  private final byte[] bytes;
  private final int end;
  private int at;
  private int put;

  private Inline(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.end = end;
    this.at = from;
  }

  /**
   * Puts the arguments of a line into a request, but no more than so many.
   *
   * @return how many the line has; -1 if a quote is not closed as it should
   */
  static int split(byte[] bytes, int from, int end, int most, Request request) {
    Inline line = new Inline(bytes, from, end);
    request.clear();
    int count = 0;
    while (line.skipSpace()) {
      int start = line.at;
      line.put = start;
      if (!line.argument()) {
        return -1;
      }
      if (count++ < most) {
        request.add(start, line.put - start);
      }
    }
    return count;
  }

  /**
   * Whether a line is one of HTTP. A web page can make a browser send that here, with commands in
   * the body: such a connection is closed before its body is read, as Redis does.
   */
  static boolean isHttp(Request line) {
    return line.is(0, POST) || line.is(0, HOST);
  }

  private boolean skipSpace() {
    while (at < end && isSpace(bytes[at])) {
      at++;
    }
    return at < end;
  }

  private boolean argument() {
    while (at < end && !isSpace(bytes[at])) {
      byte b = bytes[at++];
      if (b == '"' || b == '\'') {
        return quoted(b);
      }
      bytes[put++] = b;
    }
    return true;
  }

  /** Up to the closing quote, which must end the argument. */
  private boolean quoted(byte quote) {
    while (at < end) {
      byte b = bytes[at++];
      if (b == quote) {
        return at == end || isSpace(bytes[at]);
      }
      if (b == '\\' && at < end && quote == '"') {
        b = escaped();
      } else if (b == '\\' && at < end && bytes[at] == '\'') {
        b = bytes[at++];
      }
      bytes[put++] = b;
    }
    return false;
  }

  private byte escaped() {
    byte b = bytes[at++];
    return switch (b) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'a' -> 7;
      case 'x' -> hex();
      default -> b;
    };
  }

  private byte hex() {
    int high = at + 1 < end ? Character.digit(bytes[at], 16) : -1;
    int low = high < 0 ? -1 : Character.digit(bytes[at + 1], 16);
    if (low < 0) {
      return 'x';
    }
    at += 2;
    return (byte) (high << 4 | low);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n' || b == 0x0b || b == '\f';
  }
}
