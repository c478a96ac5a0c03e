package io.penstock.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** What a client sent as a value, whatever its bytes. Stateless. */
public final class RawText {
  private RawText() {}

  /*
   * UTF-8 is the same text in every protocol. A value that is not UTF-8 must not be the text of
   * another: its bytes become halves of surrogate pairs (U+DC80 to U+DCFF, as in Python), which no
   * text has.
   */
  /** The text of these bytes, which no other bytes have. */
  public static String of(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return halves(bytes);
    }
  }

  private static String halves(byte[] bytes) {
    StringBuilder halves = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      halves.append(b >= 0 ? (char) b : (char) (Character.MIN_LOW_SURROGATE + (b & 0xFF)));
    }
    return halves.toString();
  }
}
