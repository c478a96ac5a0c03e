package io.penstock.server.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/** What is held and its answer as bytes, for the memory of request ids: the id comes first. */
final class HeldCodec {
  private HeldCodec() {}

  static byte[] write(Held held) {
    byte[] id = String.valueOf(held.id()).getBytes(US_ASCII);
    byte[] answer = AnswerCodec.writeRemembered(held.answer());
    byte[] bytes = Arrays.copyOf(id, HoldingId.CHARS + answer.length);
    System.arraycopy(answer, 0, bytes, HoldingId.CHARS, answer.length);
    return bytes;
  }

  /** The answer among what was written, as {@link AnswerCodec} reads it. */
  static byte[] answer(byte[] bytes) {
    return Arrays.copyOfRange(bytes, HoldingId.CHARS, bytes.length);
  }

  static String id(byte[] bytes) {
    return new String(bytes, 0, HoldingId.CHARS, US_ASCII);
  }
}
