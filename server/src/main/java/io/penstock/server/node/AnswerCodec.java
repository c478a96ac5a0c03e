package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.server.Packed;
import io.penstock.shard.IdWindow;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answers as bytes, for the memory of request ids and, with more, for other nodes. */
public final class AnswerCodec {
  /** An id may come before it. */
  private static final int REMEMBERED_BYTES_MAX = IdWindow.ANSWER_BYTES_MAX - HoldingId.CHARS;

  private AnswerCodec() {}

  public static byte[] write(Answer answer) {
    return Packed.write(
        out -> {
          out.writeBoolean(answer.allowed());
          out.writeByte(answer.deciding());
          out.writeLong(answer.waitNanos());
          out.writeUTF(answer.durability().name());
          out.writeByte(answer.parts().size());
          for (Part part : answer.parts()) {
            write(part, out);
          }
        });
  }

  /**
   * The same for the memory of request ids, which keeps so much and no more: of an answer that is
   * longer, the limit that decides each part, and the policy that decides the whole.
   */
  static byte[] writeRemembered(Answer answer) {
    byte[] whole = write(answer);
    return whole.length <= REMEMBERED_BYTES_MAX ? whole : write(brief(answer));
  }

  private static Answer brief(Answer answer) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < answer.parts().size(); i++) {
      Part part = answer.parts().get(i);
      Meter meter = part.meter();
      parts.add(
          new Part(
              part.allowed(),
              i == answer.deciding() ? part.policy() : null,
              part.policyVersion(),
              part.why(),
              meter == null ? -1 : 0,
              meter == null ? List.of() : List.of(meter),
              part.retryAfterNanos()));
    }
    return new Answer(
        answer.allowed(),
        answer.deciding(),
        parts,
        answer.waitNanos(),
        answer.durability(),
        answer.decidedBy(),
        answer.duplicate());
  }

  private static void write(Part part, DataOutputStream out) throws IOException {
    String policy = part.policy();
    out.writeBoolean(part.allowed());
    out.writeUTF(policy == null ? "" : policy);
    out.writeLong(part.policyVersion());
    out.writeUTF(part.why().name());
    out.writeByte(part.deciding());
    out.writeByte(part.meters().size());
    for (Meter meter : part.meters()) {
      out.writeUTF(meter.limit().toString());
      out.writeBoolean(meter.denied());
      out.writeLong(meter.remaining());
      out.writeLong(meter.retryAfterNanos());
      out.writeLong(meter.resetAfterNanos());
      out.writeLong(meter.moreAfterNanos());
    }
  }

  /** The answer that was written, as the answer to a repetition. */
  public static Answer read(byte[] bytes, String decidedBy) {
    return Packed.read(
        bytes,
        in -> {
          boolean allowed = in.readBoolean();
          int deciding = in.readUnsignedByte();
          long waitNanos = in.readLong();
          Durability durability = Durability.valueOf(in.readUTF());
          List<Part> parts = new ArrayList<>();
          for (int left = in.readUnsignedByte(); left > 0; left--) {
            parts.add(readPart(in));
          }
          return new Answer(
              allowed, deciding, parts, waitNanos, durability, decidedBy, /* duplicate= */ true);
        });
  }

  private static Part readPart(DataInputStream in) throws IOException {
    boolean allowed = in.readBoolean();
    String policy = in.readUTF();
    long version = in.readLong();
    Why why = Why.valueOf(in.readUTF());
    int deciding = in.readByte();
    List<Meter> meters = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      Limit limit = Limit.parse(in.readUTF());
      meters.add(
          new Meter(
              limit, in.readBoolean(), in.readLong(), in.readLong(), in.readLong(), in.readLong()));
    }
    String scope = policy.isEmpty() ? null : policy;
    return new Part(allowed, scope, version, why, deciding, meters, Part.AS_METER);
  }
}
