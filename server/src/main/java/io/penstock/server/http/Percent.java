package io.penstock.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Percent-encoding of one segment of a path. Stateless. */
final class Percent {
  private Percent() {}

  /** The text of a segment; refuses half an escape and bytes that are not UTF-8. */
  static String decode(String name, String segment) {
    if (segment.indexOf('%') < 0 && Utf8.length(segment) == segment.length()) {
      return segment;
    }
    byte[] in = segment.getBytes(StandardCharsets.ISO_8859_1);
    byte[] out = new byte[in.length];
    int length = 0;
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '%') {
        out[length++] = in[i];
        continue;
      }
      int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(in[i + 2], 16);
      if (low < 0) {
        throw Refusal.field(name, segment, "two hexadecimal digits after each %");
      }
      out[length++] = (byte) (high << 4 | low);
      i += 2;
    }
    String text = Utf8.decode(Arrays.copyOf(out, length));
    if (text == null) {
      throw Refusal.field(name, segment, "UTF-8");
    }
    return text;
  }
}
