package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** A question from node to node: what it is about, and the rest. Immutable. */
record Letter(Kind kind, ByteBuffer text) {
  private static final int HEAD_BYTES = 2;

  /** What a question is about: its first byte; the second is the number of its format. */
  enum Kind {
    /** Who are you, and which cluster do you belong to? */
    HELLO(1, /* format= */ 1),
    /** This is the cluster you belong to. */
    JOIN(2, /* format= */ 1),
    /** Append this to a group that you lead. */
    PROPOSE(3, /* format= */ 1),
    /** Decide this. */
    FORWARD(4, /* format= */ 1),
    /** May this member come in, or has it to go? */
    KNOCK(5, /* format= */ 1);

    private final byte code;
    private final byte format;

    Kind(int code, int format) {
      this.code = (byte) code;
      this.format = (byte) format;
    }

    Format format() {
      return new Format("question " + name(), format);
    }
  }

  static byte[] of(Kind kind, byte[] text) {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + text.length);
    return bytes.put(kind.code).put(kind.format).put(text).array();
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
        if (bytes.length < HEAD_BYTES || bytes[1] != kind.format) {
          Object found = bytes.length < HEAD_BYTES ? "none" : bytes[1];
          throw new FormatException(kind.format().refusal(found));
        }
        int length = bytes.length - HEAD_BYTES;
        return new Letter(kind, ByteBuffer.wrap(bytes, HEAD_BYTES, length).slice());
      }
    }
    String code = bytes.length == 0 ? "none" : String.valueOf(bytes[0]);
    throw new FormatException(
        "question: "
            + code
            + " (expected: 1 to "
            + Kind.values().length
            + "; another version asks)");
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
