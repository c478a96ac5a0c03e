package io.penstock.server.policy;

import io.penstock.server.Packed;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What became of a write, as bytes: the same on every node. Stateless. */
final class Settlement {
  /** Of an entry that was carried out before: what became of it then is not kept. */
  static final byte[] UNKNOWN = {};

  private static final int WRITTEN = 1;
  private static final int INVALID = 2;
  private static final int CONFLICT = 3;
  private static final int READ_ONLY = 4;

  private Settlement() {}

  /** Of a write that is settled. */
  static byte[] of(Write write) {
    try {
      return of(write.result());
    } catch (InvalidPolicyException e) {
      return Packed.write(
          out -> {
            out.writeByte(INVALID);
            write(e.problems(), out);
          });
    } catch (VersionConflictException e) {
      return of(e);
    } catch (ReadOnlyException e) {
      return refusal(READ_ONLY, e);
    }
  }

  static byte[] of(Written written) {
    return Packed.write(
        out -> {
          out.writeByte(WRITTEN);
          out.writeLong(written.version());
          out.writeInt(written.warnings().size());
          for (String warning : written.warnings()) {
            Packed.writeText(out, warning);
          }
        });
  }

  static byte[] of(VersionConflictException conflict) {
    return refusal(CONFLICT, conflict);
  }

  private static byte[] refusal(int tag, RuntimeException refusal) {
    return Packed.write(
        out -> {
          out.writeByte(tag);
          Packed.writeText(out, String.valueOf(refusal.getMessage()));
        });
  }

  private static void write(List<Problem> problems, DataOutputStream out) throws IOException {
    out.writeInt(problems.size());
    for (Problem problem : problems) {
      Packed.writeText(out, problem.field());
      Packed.writeText(out, problem.value());
      Packed.writeText(out, problem.expected());
    }
  }

  /** What was written; throws the refusal if it was refused. */
  static Written read(byte[] bytes) {
    if (bytes.length == 0) {
      throw StoreUnavailableException.unanswered(/* cause= */ null);
    }
    return Packed.read(
        bytes,
        in -> {
          int tag = in.readByte();
          return switch (tag) {
            case WRITTEN -> readWritten(in);
            case INVALID -> throw new InvalidPolicyException(readProblems(in));
            case CONFLICT -> throw new VersionConflictException(text(in));
            case READ_ONLY -> throw new ReadOnlyException(text(in));
            default ->
                throw new IllegalStateException(
                    "settlement: " + tag + " (expected: one that this version knows)");
          };
        });
  }

  private static Written readWritten(DataInputStream in) throws IOException {
    long version = in.readLong();
    List<String> warnings = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      warnings.add(text(in));
    }
    return new Written(version, warnings);
  }

  private static List<Problem> readProblems(DataInputStream in) throws IOException {
    List<Problem> problems = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      problems.add(new Problem(text(in), text(in), text(in)));
    }
    return problems;
  }

  private static String text(DataInputStream in) throws IOException {
    return Objects.requireNonNull(Packed.readText(in), "text");
  }
}
