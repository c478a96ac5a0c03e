package io.penstock.server.node;

import static java.util.Objects.requireNonNull;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.server.Packed;
import io.penstock.server.policy.LimitChecks;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order for one key as it is kept. Immutable.
 *
 * @param override the limits it is or was put under; null if it is only blocked or reset
 */
record OrderNote(long hash, long blockedUntil, long resetAt, @Nullable Kept override) {
  /*
   * Format 1 told of an override its limits and its end only. So what was taken before it began is
   * not followed.
   */
  private static final int FORMAT = 2;

  /** An override, with the limits it took over from. */
  record Kept(
      long sinceNanos,
      long untilNanos,
      long earlierNanos,
      long forgottenNanos,
      Limits own,
      @Nullable Limits before) {
    static Kept of(KeyOverride override) {
      return new Kept(
          override.sinceNanos(),
          override.untilNanos(),
          override.earlierNanos(),
          override.forgottenNanos(),
          requireNonNull(Limits.of(override.grant())),
          Limits.of(override.before()));
    }

    boolean isNewerThan(@Nullable KeyOverride other) {
      return other == null || other.sinceNanos() < sinceNanos;
    }

    /* When it ends was told in the time of everybody, unless it has been ended. */
    private Kept later(long nanos, long nowNanos) {
      return new Kept(
          sinceNanos + nanos,
          untilNanos <= nowNanos ? untilNanos + nanos : untilNanos,
          earlierNanos == KeyOverride.NEVER ? earlierNanos : earlierNanos + nanos,
          forgottenNanos,
          own,
          before);
    }
  }

  /** Limits, and the counters they read. */
  record Limits(Policy policy, Counters counters) {
    static @Nullable Limits of(@Nullable Grant grant) {
      Policy policy = grant == null ? null : grant.terms().policy();
      return grant == null || policy == null ? null : new Limits(policy, grant.counters());
    }
  }

  /** The same where time is ahead, and it is so late by now (R23). */
  OrderNote later(long nanos, long nowNanos) {
    return new OrderNote(
        hash,
        blockedUntil,
        resetAt == 0 ? 0 : resetAt + nanos,
        override == null ? null : override.later(nanos, nowNanos));
  }

  /** Whether it says anything that an order of the same key does not. */
  boolean tellsMoreThan(KeyOrders.Order here) {
    return (override != null && override.isNewerThan(here.override()))
        || blockedUntil > here.blockedUntil()
        || (resetAt != 0 && here.resetAt() == 0);
  }

  /** From when on nothing of it holds or is remembered. */
  long endNanos() {
    long reset = resetAt == 0 ? 0 : resetAt + Reservations.TTL_NANOS_MAX;
    long past = override == null ? 0 : override.forgottenNanos;
    return Math.max(blockedUntil, Math.max(reset, past));
  }

  byte[] write() {
    return Packed.write(
        FORMAT,
        out -> {
          out.writeLong(hash);
          out.writeLong(blockedUntil);
          out.writeLong(resetAt);
          out.writeBoolean(override != null);
          if (override != null) {
            out.writeLong(override.sinceNanos);
            out.writeLong(override.untilNanos);
            out.writeLong(override.earlierNanos);
            out.writeLong(override.forgottenNanos);
            write(override.own, out);
            write(override.before, out);
          }
        });
  }

  private static void write(@Nullable Limits limits, DataOutputStream out) throws IOException {
    out.writeByte(limits == null ? 0 : limits.policy.limits().size());
    if (limits != null) {
      out.writeUTF(limits.policy.algorithm().name());
      for (Limit limit : limits.policy.limits()) {
        out.writeUTF(limit.toString());
      }
      out.writeUTF(limits.counters.toString());
    }
  }

  static OrderNote read(byte[] bytes) {
    return Packed.read(bytes, FORMAT, (in, format) -> format == 1 ? readFirst(in) : read(in));
  }

  private static OrderNote read(DataInputStream in) throws IOException {
    return new OrderNote(
        in.readLong(), in.readLong(), in.readLong(), in.readBoolean() ? readOverride(in) : null);
  }

  private static Kept readOverride(DataInputStream in) throws IOException {
    return new Kept(
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        requireNonNull(readLimits(in)),
        readLimits(in));
  }

  private static @Nullable Limits readLimits(DataInputStream in) throws IOException {
    Policy policy = readPolicy(in);
    return policy == null ? null : new Limits(policy, Counters.parse(in.readUTF()));
  }

  private static OrderNote readFirst(DataInputStream in) throws IOException {
    long hash = in.readLong();
    long blockedUntil = in.readLong();
    long until = in.readLong();
    long resetAt = in.readLong();
    Policy policy = readPolicy(in);
    Kept override =
        policy == null
            ? null
            : new Kept(
                /* sinceNanos= */ 0,
                until,
                KeyOverride.NEVER,
                until + Reservations.TTL_NANOS_MAX,
                new Limits(policy, Counters.PLAIN),
                /* before= */ null);
    return new OrderNote(hash, blockedUntil, resetAt, override);
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
    List<Limit> counted = LimitChecks.countable(limits, limit -> limit);
    return new Policy(counted, algorithm, FailMode.OPEN);
  }
}
