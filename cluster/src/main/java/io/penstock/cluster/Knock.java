package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A question to those who lead: may this member come in, or has it to go? Immutable.
 *
 * @param isReady whether its groups are open, so that it can be sent their log
 */
record Knock(Wish wish, Member member, boolean isReady) {
  private static final String BETWEEN = " ";

  /** What is to become of the member. */
  enum Wish {
    /** Nothing: is it in? */
    ASK,
    /** It comes back without its data, or was added. */
    JOIN,
    /** It is new, and may join. */
    ADD,
    /** It has to go. */
    LEAVE
  }

  byte[] write() {
    String text = String.join(BETWEEN, wish.name(), member.toString(), Boolean.toString(isReady));
    return text.getBytes(UTF_8);
  }

  static Knock read(byte[] bytes) {
    String[] parts = new String(bytes, UTF_8).split(BETWEEN, -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("knock: " + parts.length + " parts (expected: 3)");
    }
    return new Knock(
        Wish.valueOf(parts[0]), Member.parse(parts[1]), Boolean.parseBoolean(parts[2]));
  }
}
