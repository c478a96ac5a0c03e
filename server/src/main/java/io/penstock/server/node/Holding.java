package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.core.state.Rule;
import io.penstock.server.Packed;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * What a reservation or a lease holds, and whether it is settled. Immutable.
 *
 * @param settled only versions before 0.6 keep it then; a {@link Mark} is kept in its place
 * @param endNanos until when it may be settled
 * @param leaseNanos how long a lease lasts, 0 for a reservation
 */
record Holding(
    boolean settled,
    long takenNanos,
    long endNanos,
    long leaseNanos,
    String domain,
    List<Key> keys) {
  /* Format 1 did not tell which reset was the last: one of the same instant counts as later. */
  private static final int FORMAT = 2;

  /**
   * What is held of one key.
   *
   * @param afterReset the reset that had been the last one when it was taken
   */
  record Key(Descriptor descriptor, long hash, long afterReset, long cost, List<Claimed> claims) {
    Key named(Descriptor name) {
      return new Key(name, hash, afterReset, cost, claims);
    }

    /*
     * A reset came to each group by itself. If it came there a little later than here, but before
     * this was taken, it is the same one; a later one is not, and nor is the first there was.
     */
    private long afterReset(long nanos, long takenNanos, long there) {
      if (afterReset == 0) {
        return 0;
      }
      long here = afterReset + nanos;
      return there <= takenNanos ? Math.max(here, there) : here;
    }
  }

  /** What was taken from one counter of a key, and under which limit. */
  record Claimed(int counter, Limit limit, Algorithm algorithm, long ticket) {
    /** Whether it is a place among those that run at the same time. */
    boolean isSlot() {
      return algorithm == Algorithm.CONCURRENCY;
    }

    boolean isOf(Rule rule) {
      return rule.limit().equals(limit) && rule.algorithm().equals(algorithm);
    }

    private Claimed later(long nanos) {
      boolean isInstant =
          algorithm != Algorithm.FIXED_WINDOW
              && algorithm != Algorithm.SLIDING_WINDOW_COUNTER
              && algorithm != Algorithm.CONCURRENCY;
      return isInstant && ticket > 0
          ? new Claimed(counter, limit, algorithm, Math.max(1, ticket + nanos))
          : this;
    }
  }

  /** Whether it keeps others from running. */
  boolean hasSlots() {
    return keys.stream().anyMatch(key -> key.claims().stream().anyMatch(Claimed::isSlot));
  }

  boolean isLease() {
    return leaseNanos > 0;
  }

  Holding renewedUntil(long nanos) {
    return new Holding(settled, takenNanos, nanos, leaseNanos, domain, keys);
  }

  /** The same, each key under another name. */
  Holding named(UnaryOperator<Key> naming) {
    List<Key> named = keys.stream().map(naming).toList();
    return new Holding(settled, takenNanos, endNanos, leaseNanos, domain, named);
  }

  /**
   * The same where time is ahead: windows are the same everywhere, and names of leases too.
   *
   * @param resets when a key was last reset there, by its hash; 0 if nobody remembers
   */
  Holding later(long nanos, LongUnaryOperator resets) {
    List<Key> moved = new ArrayList<>();
    for (Key key : keys) {
      List<Claimed> claims = key.claims.stream().map(claim -> claim.later(nanos)).toList();
      long reset = key.afterReset(nanos, takenNanos + nanos, resets.applyAsLong(key.hash));
      moved.add(new Key(key.descriptor, key.hash, reset, key.cost, claims));
    }
    return new Holding(settled, takenNanos + nanos, endNanos + nanos, leaseNanos, domain, moved);
  }

  byte[] write() {
    return Packed.write(
        FORMAT,
        out -> {
          out.writeBoolean(settled);
          out.writeLong(takenNanos);
          out.writeLong(endNanos);
          out.writeLong(leaseNanos);
          out.writeUTF(domain);
          out.writeByte(keys.size());
          for (Key key : keys) {
            write(key, out);
          }
        });
  }

  private static void write(Key key, DataOutputStream out) throws IOException {
    out.writeLong(key.hash);
    out.writeLong(key.afterReset);
    out.writeLong(key.cost);
    out.writeByte(key.descriptor.entries().size());
    for (Entry entry : key.descriptor.entries()) {
      out.writeUTF(entry.key());
      out.writeUTF(entry.value());
    }
    out.writeByte(key.claims.size());
    for (Claimed claim : key.claims) {
      out.writeInt(claim.counter);
      out.writeUTF(claim.limit.toString());
      out.writeUTF(claim.algorithm.name());
      out.writeLong(claim.ticket);
    }
  }

  /** How many bytes {@link #write} takes. */
  int bytes() {
    int bytes = bytes(domain);
    for (Key key : keys) {
      bytes += bytes(key.descriptor);
      for (Claimed claim : key.claims) {
        bytes += bytes(claim.limit, claim.algorithm);
      }
    }
    return bytes;
  }

  /** How many of one that holds nothing. */
  static int bytes(String domain) {
    return 3 * Byte.BYTES + 3 * Long.BYTES + Packed.utfBytes(domain);
  }

  /** How many more of a key. */
  static int bytes(Descriptor descriptor) {
    int bytes = 2 * Byte.BYTES + 3 * Long.BYTES;
    for (Entry entry : descriptor.entries()) {
      bytes += Packed.utfBytes(entry.key()) + Packed.utfBytes(entry.value());
    }
    return bytes;
  }

  /** How many more of what is taken from a counter. */
  static int bytes(Limit limit, Algorithm algorithm) {
    return Integer.BYTES
        + Packed.utfBytes(limit.toString())
        + Packed.utfBytes(algorithm.name())
        + Long.BYTES;
  }

  static Holding read(byte[] bytes) {
    return Packed.read(
        bytes,
        FORMAT,
        (in, format) -> {
          boolean settled = in.readBoolean();
          long taken = in.readLong();
          long end = in.readLong();
          long lease = in.readLong();
          String domain = in.readUTF();
          List<Key> keys = new ArrayList<>();
          for (int left = in.readUnsignedByte(); left > 0; left--) {
            keys.add(format == 1 ? readKey(in, in.readLong(), taken - 1) : readKey(in));
          }
          return new Holding(settled, taken, end, lease, domain, keys);
        });
  }

  private static Key readKey(DataInputStream in) throws IOException {
    return readKey(in, in.readLong(), in.readLong());
  }

  private static Key readKey(DataInputStream in, long hash, long afterReset) throws IOException {
    long cost = in.readLong();
    List<Entry> entries = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      entries.add(new Entry(in.readUTF(), in.readUTF()));
    }
    List<Claimed> claims = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      int counter = in.readInt();
      Limit limit = Limit.parse(in.readUTF());
      claims.add(new Claimed(counter, limit, Algorithm.named(in.readUTF()), in.readLong()));
    }
    return new Key(new Descriptor(entries), hash, afterReset, cost, claims);
  }
}
