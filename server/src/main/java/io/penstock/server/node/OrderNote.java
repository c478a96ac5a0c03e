package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.server.Packed;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order for one key as it is kept. Immutable.
 *
 * @param policy the limits it is put under; null if it is only blocked or reset
 */
record OrderNote(
    long hash, long blockedUntil, long grantUntil, long resetAt, @Nullable Policy policy) {
  byte[] write() {
    return Packed.write(
        out -> {
          out.writeLong(hash);
          out.writeLong(blockedUntil);
          out.writeLong(grantUntil);
          out.writeLong(resetAt);
          out.writeByte(policy == null ? 0 : policy.limits().size());
          if (policy != null) {
            out.writeUTF(policy.algorithm().name());
            for (Limit limit : policy.limits()) {
              out.writeUTF(limit.toString());
            }
          }
        });
  }

  static OrderNote read(byte[] bytes) {
    return Packed.read(
        bytes,
        in ->
            new OrderNote(
                in.readLong(), in.readLong(), in.readLong(), in.readLong(), readPolicy(in)));
  }

  private static @Nullable Policy readPolicy(DataInputStream in) throws IOException {
    int size = in.readByte();
    if (size == 0) {
      return null;
    }
    Algorithm algorithm = Algorithm.named(in.readUTF());
    List<Limit> limits = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      limits.add(Limit.parse(in.readUTF()));
    }
    return new Policy(limits, algorithm, FailMode.OPEN);
  }
}
