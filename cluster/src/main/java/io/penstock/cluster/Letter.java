package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** A question from node to node: what it is about, and the rest. Immutable. */
record Letter(Kind kind, ByteBuffer text) {
  /** What a question is about: its first byte. */
  enum Kind {
    /** Who are you, and which cluster do you belong to? */
    HELLO(1),
    /** This is the cluster you belong to. */
    JOIN(2),
    /** Append this to a group that you lead. */
    PROPOSE(3),
    /** Decide this. */
    FORWARD(4),
    /** May this member come in, or has it to go? */
    KNOCK(5);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }
  }

  static byte[] of(Kind kind, byte[] text) {
    return ByteBuffer.allocate(1 + text.length).put(kind.code).put(text).array();
  }

  /** A question that only a node of the same cluster answers. */
  private static byte[] within(Membership own, Kind kind, byte[] text) {
    UUID cluster = own.cluster();
    ByteBuffer sealed = ByteBuffer.allocate(2 * Long.BYTES + text.length);
    sealed.putLong(cluster.getMostSignificantBits()).putLong(cluster.getLeastSignificantBits());
    return of(kind, sealed.put(text).array());
  }

  static byte[] knock(Membership own, Knock knock) {
    return within(own, Kind.KNOCK, knock.write());
  }

  static byte[] forward(Membership own, byte[] question) {
    return within(own, Kind.FORWARD, question);
  }

  static byte[] proposal(Membership own, String group, byte[] entry) {
    byte[] name = group.getBytes(UTF_8);
    ByteBuffer text = ByteBuffer.allocate(1 + name.length + entry.length);
    text.put((byte) name.length).put(name).put(entry);
    return within(own, Kind.PROPOSE, text.array());
  }

  static Letter read(byte[] bytes) {
    for (Kind kind : Kind.values()) {
      if (bytes.length > 0 && bytes[0] == kind.code) {
        return new Letter(kind, ByteBuffer.wrap(bytes, 1, bytes.length - 1).slice());
      }
    }
    String code = bytes.length == 0 ? "none" : String.valueOf(bytes[0]);
    throw new IllegalArgumentException(
        "question: "
            + code
            + " (expected: one of this version, 1 to "
            + Kind.values().length
            + ")");
  }

  /** What is left of it, if it comes from this cluster: an address may have been another's. */
  Letter of(Membership own) throws IOException {
    UUID cluster = new UUID(text.getLong(), text.getLong());
    if (!cluster.equals(own.cluster())) {
      throw new IOException("cluster: " + cluster + " (expected: " + own.cluster() + ")");
    }
    return this;
  }

  /** The bytes that are left. */
  byte[] rest() {
    byte[] rest = new byte[text.remaining()];
    text.get(rest);
    return rest;
  }

  /** The name of the group that a proposal is for; the entry is left. */
  String group() {
    byte[] name = new byte[text.get()];
    text.get(name);
    return new String(name, UTF_8);
  }
}
