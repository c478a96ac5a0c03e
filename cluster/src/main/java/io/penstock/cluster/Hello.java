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
  private static final String NONE = "none";
  private static final String BETWEEN = "\n";

  byte[] write() {
    Membership of = membership;
    String members = of == null ? NONE : of.toString();
    return (self + BETWEEN + wallNanos + BETWEEN + members).getBytes(UTF_8);
  }

  static Hello read(byte[] bytes) {
    String[] lines = new String(bytes, UTF_8).split(BETWEEN, -1);
    Membership members = lines[2].equals(NONE) ? null : Membership.parse(lines[2]);
    return new Hello(Member.parse(lines[0]), Long.parseLong(lines[1]), members);
  }
}
