package io.penstock.server.policy;

import io.penstock.server.Packed;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one entry of the log asks every node to do. Immutable, but for what becomes of its write.
 *
 * <p>It holds all that is decided by the node that proposes it and would differ elsewhere: the
 * time, and who asks. The rest follows from the entries before.
 */
sealed interface LogEntry {
  /** An entry may not be larger (R6); the longest document is smaller. */
  int BYTES_MAX = 256 << 10;

  int SECRET_BYTES = 16;

  /** A document is to be put or deleted. */
  record Document(Write write, Instant at) implements LogEntry {}

  /** The secret of the cluster is to be this one, unless there is one. */
  record Secret(long first, long second) implements LogEntry {
    static Secret of(byte[] bytes) {
      if (bytes.length != SECRET_BYTES) {
        throw new IllegalArgumentException(
            "secret: " + bytes.length + " bytes (expected: " + SECRET_BYTES + ")");
      }
      ByteBuffer words = ByteBuffer.wrap(bytes);
      return new Secret(words.getLong(), words.getLong());
    }

    byte[] bytes() {
      return ByteBuffer.allocate(SECRET_BYTES).putLong(first).putLong(second).array();
    }
  }

  /** A step of the move of a shard. */
  record Move(MoveStep step) implements LogEntry {}

  /** A group comes into being, or has got its share; only in a cluster that knows of it. */
  record Grow(LateGroup group) implements LogEntry {}

  private static int tag(LogEntry entry) {
    return entry instanceof Document
        ? 1
        : entry instanceof Secret ? 2 : entry instanceof Move ? 3 : 4;
  }

  /** As bytes, for every node to read. */
  default byte[] encode() {
    return Packed.write(
        out -> {
          out.writeByte(tag(this));
          if (this instanceof Document document) {
            write(document, out);
          } else if (this instanceof Secret secret) {
            out.write(secret.bytes());
          } else if (this instanceof Move move) {
            write(move.step(), out);
          } else if (this instanceof Grow grow) {
            out.writeInt(grow.group().number());
            Packed.writeText(out, grow.group().founders());
            out.writeBoolean(grow.group().filled());
          }
        });
  }

  private static void write(Document entry, DataOutputStream out) throws IOException {
    Write write = entry.write();
    out.writeLong(entry.at().toEpochMilli());
    Packed.writeText(out, Words.of(write.kind));
    Packed.writeText(out, write.name);
    Packed.writeText(out, write.document == null ? null : write.document.json());
    Packed.writeText(out, write.asker.by());
    write(Objects.requireNonNull(write.asker.expected(), "expected"), out);
  }

  private static void write(MoveStep step, DataOutputStream out) throws IOException {
    Packed.writeText(out, Words.of(step.act()));
    out.writeInt(step.shard());
    out.writeLong(step.number());
    out.writeInt(step.group());
  }

  private static LogEntry readMove(DataInputStream in) throws IOException {
    String word = text(in);
    MoveStep.Act act = Words.named(MoveStep.Act.class, word);
    if (act == null) {
      throw unknown("act", word);
    }
    return new Move(new MoveStep(act, in.readInt(), in.readLong(), in.readInt()));
  }

  private static void write(Expected expected, DataOutputStream out) throws IOException {
    if (expected instanceof Expected.Version version) {
      out.writeByte(1);
      out.writeLong(version.version());
    } else {
      out.writeByte(expected instanceof Expected.Absent ? 2 : 3);
    }
  }

  /**
   * Reads an entry.
   *
   * @throws IllegalStateException if this version cannot: whoever goes on would no longer be like
   *     the others
   */
  static LogEntry decode(byte[] bytes) {
    if (bytes.length > BYTES_MAX) {
      throw new IllegalStateException(
          "entry: " + bytes.length + " bytes (expected: at most " + BYTES_MAX + ")");
    }
    return Packed.read(
        bytes,
        in -> {
          int tag = in.readByte();
          return switch (tag) {
            case 1 -> readDocument(in);
            case 2 -> new Secret(in.readLong(), in.readLong());
            case 3 -> readMove(in);
            case 4 -> new Grow(new LateGroup(in.readInt(), text(in), in.readBoolean()));
            default -> throw unknown("entry", tag);
          };
        });
  }

  private static LogEntry readDocument(DataInputStream in) throws IOException {
    Instant at = Instant.ofEpochMilli(in.readLong());
    String word = text(in);
    Kind kind = Words.named(Kind.class, word);
    if (kind == null) {
      throw unknown("kind", word);
    }
    String name = text(in);
    String json = Packed.readText(in);
    String by = text(in);
    Expected expected = readExpected(in);
    return new Document(
        json == null ? Write.delete(kind, name, expected, by) : put(kind, name, json, expected, by),
        at);
  }

  /* Who proposed it has found nothing wrong with it. So it is not refused here. */
  private static Write put(Kind kind, String name, String json, Expected expected, String by) {
    try {
      return Write.put(kind, name, json, expected, by);
    } catch (InvalidPolicyException e) {
      throw new IllegalStateException(
          name + ": a document this version cannot read (expected: the version of the others)", e);
    }
  }

  private static Expected readExpected(DataInputStream in) throws IOException {
    int tag = in.readByte();
    return switch (tag) {
      case 1 -> new Expected.Version(in.readLong());
      case 2 -> new Expected.Absent();
      case 3 -> new Expected.Any();
      default -> throw unknown("expected", tag);
    };
  }

  private static String text(DataInputStream in) throws IOException {
    @Nullable String text = Packed.readText(in);
    return Objects.requireNonNull(text, "text");
  }

  private static IllegalStateException unknown(String name, Object value) {
    return new IllegalStateException(
        name + ": " + value + " (expected: one that this version knows)");
  }
}
