package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A question or an answer with the number by which the two belong together. Immutable. */
final class Slip {
  private final long number;
  private final boolean failure;
  private final byte[] text;

  Slip(long number, boolean failure, byte[] text) {
    this.number = number;
    this.failure = failure;
    this.text = text;
  }

  static Slip letter(long number, byte[] text) {
    return new Slip(number, /* failure= */ false, text);
  }

  static Slip failure(long number, Throwable cause) {
    byte[] why = String.valueOf(cause.getMessage()).getBytes(UTF_8);
    return new Slip(number, /* failure= */ true, why);
  }

  long number() {
    return number;
  }

  /** Whether the text says why there is no answer. */
  boolean isFailure() {
    return failure;
  }

  /** Not copied: whoever has it does not change it. */
  byte[] text() {
    return text;
  }
}
