package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * What a node says about itself to others that have not joined yet (R24), and what time it is there
 * (R15). Immutable.
 *
 * @param membership null if it belongs to no cluster
 */
record Hello(Member self, long wallNanos, @Nullable Membership membership) {
  static final Format FORMAT = new Format("hello", 1);

  /** Of a cluster that has grown, in which whoever reads only the other has no place (R19). */
  static final Format GROWN = new Format("hello", 2);

  private static final String NONE = "none";
  private static final String BETWEEN = "\n";

  byte[] write() {
    Membership of = membership;
    String members = of == null ? NONE : of.toString();
    Format format = of != null && of.isGrown() ? GROWN : FORMAT;
    String number = String.valueOf(format.number());
    return String.join(BETWEEN, number, self.toString(), String.valueOf(wallNanos), members)
        .getBytes(UTF_8);
  }

  static Hello read(byte[] bytes) {
    String[] lines = new String(bytes, UTF_8).split(BETWEEN, -1);
    if (!GROWN.isNumber(lines[0])) {
      FORMAT.require(lines[0]);
    }
    Membership members = lines[3].equals(NONE) ? null : Membership.parse(lines[3]);
    return new Hello(Member.parse(lines[1]), Long.parseLong(lines[2]), members);
  }
}
