package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.server.ops.Origin;
import org.jspecify.annotations.Nullable;

/**
 * The head of a check as nearly every client writes it. Reused; confined to one event loop.
 *
 * <p>It knows one form, to the letter: this method, path and version, one host, one length, and
 * fields that change nothing about how the request is read. Whatever differs is not wrong, but not
 * for this class: it says no, and the decoder of the library finds out what it is.
 */
final class PlainHead implements Origin {
  private static final byte[] LINE = "POST /v1/check HTTP/1.1\r\n".getBytes(US_ASCII);
  private static final int LENGTH_DIGITS_MAX = 7;

  private final int headBytesMax;
  private byte[] bytes = {};
  private int start;
  private int at;
  private int to;
  private boolean full;
  private boolean cut;
  private int hosts;
  private int length;
  private @Nullable String authorization;
  private @Nullable String apiKey;

  PlainHead(int headBytesMax) {
    this.headBytesMax = headBytesMax;
  }

  /** Reads a head that begins at an index; false unless it is whole and plain. */
  boolean isPlain(byte[] from, int begin, int end) {
    bytes = from;
    start = begin;
    at = begin;
    to = Math.min(end, begin + headBytesMax);
    full = end - begin >= headBytesMax;
    cut = false;
    hosts = 0;
    length = -1;
    authorization = null;
    apiKey = null;
    if (!isLine()) {
      return false;
    }
    while (at < to && bytes[at] != '\r') {
      if (!isField()) {
        return false;
      }
    }
    return isBreak() && hosts == 1 && length >= 0;
  }

  /** Whether the head that was read is not whole, and plain so far. */
  boolean isCut() {
    return cut;
  }

  /** There is no more to read; one that is as long as it may be does not become whole. */
  private boolean ends() {
    cut = !full;
    return false;
  }

  /** Where the body begins. */
  int end() {
    return at;
  }

  /** How long the body is. */
  int length() {
    return length;
  }

  @Nullable String authorization() {
    return authorization;
  }

  @Nullable String apiKey() {
    return apiKey;
  }

  /** The value of whatever field of the head that was found plain; read anew, for few ask. */
  @Override
  public @Nullable String field(String name) {
    int line = start + LINE.length;
    while (bytes[line] != '\r') {
      int end = line;
      while (bytes[end] != '\r') {
        end++;
      }
      int colon = line + name.length();
      if (colon < end && bytes[colon] == ':' && is(name, line)) {
        return text(colon + 1, end);
      }
      line = end + 2;
    }
    return null;
  }

  private boolean isLine() {
    int count = Math.min(to - at, LINE.length);
    for (int i = 0; i < count; i++) {
      if (bytes[at + i] != LINE[i]) {
        return false;
      }
    }
    at += count;
    return count == LINE.length || ends();
  }

  private boolean isField() {
    int name = at;
    while (at < to && isNameCharacter(bytes[at])) {
      at++;
    }
    int colon = at;
    if (at == to) {
      return ends();
    }
    if (at == name || bytes[at] != ':') {
      return false;
    }
    do {
      at++;
    } while (at < to && bytes[at] == ' ');
    int value = at;
    while (at < to && bytes[at] >= ' ' && bytes[at] < 127) {
      at++;
    }
    int end = at;
    return isBreak() && isKnown(name, colon, value, end);
  }

  /** Whether a line ends here. */
  private boolean isBreak() {
    if (at < to && bytes[at] != '\r') {
      return false;
    }
    if (at + 1 >= to) {
      return ends();
    }
    at += 2;
    return bytes[at - 1] == '\n';
  }

  /** Letters, digits and a dash: there are other characters, and hardly a name with them. */
  private static boolean isNameCharacter(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '-';
  }

  /** Whether a field may be here, and what it says if it matters. */
  private boolean isKnown(int name, int colon, int value, int end) {
    return switch (colon - name) {
      case 4 -> !is("host", name) || (hosts++ == 0 && Host.isValid(bytes, value, end));
      case 6 -> !is("expect", name);
      case 7 -> !is("upgrade", name);
      case 9 -> !is("x-api-key", name) || isFirstKey(text(value, end));
      case 10 -> !is("connection", name) || (end - value == 10 && is("keep-alive", value));
      case 13 -> !is("authorization", name) || isFirstAuthorization(text(value, end));
      case 14 -> !is("content-length", name) || isFirstLength(value, end);
      case 17 -> !is("transfer-encoding", name);
      default -> true;
    };
  }

  private boolean isFirstKey(String value) {
    boolean first = apiKey == null;
    apiKey = value;
    return first;
  }

  private boolean isFirstAuthorization(String value) {
    boolean first = authorization == null;
    authorization = value;
    return first;
  }

  private boolean isFirstLength(int value, int end) {
    boolean first = length < 0;
    length = 0;
    for (int i = value; i < end; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
      length = 10 * length + bytes[i] - '0';
    }
    return first && value < end && end - value <= LENGTH_DIGITS_MAX;
  }

  /** Whether the bytes from an index on are a word, in small or large letters. */
  private boolean is(String word, int from) {
    for (int i = 0; i < word.length(); i++) {
      byte b = bytes[from + i];
      int small = b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
      if (small != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private String text(int from, int end) {
    return new String(bytes, from, end - from, US_ASCII).strip();
  }
}
