package io.penstock.server.node;

import io.penstock.server.policy.Placement;
import io.penstock.shard.Freight;
import io.penstock.shard.Shard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Has shards leave the group that this node owns, and arrive in it (R23). Thread-safe.
 *
 * <p>A group decides on a shard only between the deeds that open and freeze it, and these are in
 * its own log. Which of two groups has it is agreed on elsewhere, and only followed here.
 */
public final class Removals {
  /** In place of how far time is ahead: nobody has said what time it is where a shard is from. */
  private static final long NOT_TOLD = Long.MIN_VALUE;

  /**
   * What has come of a shard so far.
   *
   * @param aheadNanos how far time here is ahead of that where it is from: the same for every piece
   *     of an attempt, or what was taken and what it was taken from were no longer of one instant
   */
  private record Arrived(long number, long attempt, int index, long checksum, long aheadNanos) {
    boolean isOf(Cargo cargo) {
      return number == cargo.number() && attempt == cargo.attempt();
    }

    /** The same once a piece has told the time, if none did before. */
    Arrived told(Cargo cargo, long nowNanos) {
      boolean tells = cargo.index() > 0 || cargo.atNanos() != 0;
      return aheadNanos == NOT_TOLD && tells
          ? new Arrived(number, attempt, index, checksum, nowNanos - cargo.atNanos())
          : this;
    }

    Arrived then(Cargo cargo, long sum) {
      return new Arrived(number, attempt, cargo.index(), sum, aheadNanos);
    }
  }

  private final Shard shard;
  private final PolicyDesk policies;
  private final Estate estate;
  private final Answering answering;
  private final KeyDesk desk;
  private final Map<Integer, Arrived> arrivals = new ConcurrentHashMap<>();

  Removals(Shard shard, PolicyDesk policies, Estate estate, Answering answering, KeyDesk desk) {
    this.shard = shard;
    this.policies = policies;
    this.estate = estate;
    this.answering = answering;
    this.desk = desk;
  }

  private static Freight.Choice all(int number) {
    return new Freight.Choice(
        hash -> Signature.shard(hash) == number,
        check -> check != KeyDesk.ORDER && check != Estate.DEED);
  }

  /**
   * Decides on a shard no more: what was decided before is in the log before, or not at all. Tells
   * when that is kept.
   */
  public void freeze(int number, long move, Asker<Boolean> done) {
    long generation;
    synchronized (this) {
      Deed deed = estate.deed(number);
      boolean isDone = deed != null && deed.is(Deed.Sort.FROZEN, move);
      generation = isDone ? estate.now() : estate.put(number, Deed.Sort.FROZEN, move);
    }
    answering.whenKept(true, generation, done);
  }

  /**
   * What is remembered of a shard that is frozen, in pieces, for the group that it moves to. One
   * that came into being later has not heard of any order before (R19): it gets those of all keys,
   * as an order is looked up by two hashes, and these may belong to different shards.
   */
  public List<byte[]> pack(int number, int group) {
    Freight.Choice all = all(number);
    boolean isLate = estate.isLate(group);
    desk.awaitChange();
    return shard.freight().pack(isLate ? all.withNotes(check -> check == KeyDesk.ORDER) : all);
  }

  /** The time of this group. */
  public long nowNanos() {
    return shard.clock().nanos();
  }

  /** When a shard was frozen, in the time of this group. */
  public long frozenNanos(int number) {
    Deed deed = estate.deed(number);
    if (deed == null || !deed.is(Deed.Sort.FROZEN)) {
      throw new IllegalStateException("shard: " + number + " (expected: frozen)");
    }
    return deed.atNanos();
  }

  /** Takes a piece of a shard, if it follows what is here; tells what became of it. */
  public synchronized void take(Cargo cargo, Asker<Cargo.Landing> done) {
    Deed deed = estate.deed(cargo.shard());
    if (deed != null && deed.hasArrived(cargo.number())) {
      /* Whatever was frozen is the same in every attempt. */
      answering.whenKept(Cargo.Landing.READY, estate.now(), done);
      return;
    }
    Arrived before = arrivals.get(cargo.shard());
    if (isTaken(deed, cargo)) {
      done.accept(Cargo.Landing.REFUSED);
    } else if (deed != null && deed.is(Deed.Sort.FROZEN)) {
      /* It has left, and is soon dropped. */
      done.accept(Cargo.Landing.AGAIN);
    } else if (cargo.index() == 0) {
      makeRoom(cargo, done);
    } else if (before == null || !before.isOf(cargo) || cargo.index() > before.index + 1) {
      done.accept(Cargo.Landing.AGAIN);
    } else if (cargo.index() <= before.index) {
      answering.whenKept(Cargo.Landing.NEXT, estate.now(), done);
    } else {
      unpack(cargo, before, done);
    }
  }

  /** Whether this group has the shard, or a later move of it has begun. */
  private boolean isTaken(@Nullable Deed deed, Cargo cargo) {
    return estate.isOpen(cargo.shard()) || (deed != null && deed.number() > cargo.number());
  }

  /* What an earlier attempt or an earlier stay has left must not mix with what comes. */
  private void makeRoom(Cargo cargo, Asker<Cargo.Landing> done) {
    Arrived arrived =
        new Arrived(cargo.number(), cargo.attempt(), /* index= */ 0, /* checksum= */ 0, NOT_TOLD)
            .told(cargo, nowNanos());
    shard.freight().discard(all(cargo.shard()));
    long generation = estate.put(cargo.shard(), Deed.Sort.ARRIVING, cargo.number());
    arrivals.put(cargo.shard(), arrived);
    answering.whenKept(Cargo.Landing.NEXT, generation, done);
  }

  private void unpack(Cargo cargo, Arrived before, Asker<Cargo.Landing> done) {
    long checksum = checksum(before.checksum, cargo.bytes());
    if (checksum != cargo.checksum()) {
      done.accept(Cargo.Landing.AGAIN);
      return;
    }
    /* The first piece of version 0.5.0 does not tell the time: the next one does, of the freeze. */
    Arrived arrived = before.told(cargo, nowNanos()).then(cargo, checksum);
    long generation;
    try {
      generation = unpack(cargo, arrived.aheadNanos);
    } catch (UnavailableException e) {
      done.fail(e);
      return;
    } catch (RuntimeException e) {
      /* No room, for states or notes: the shard stays where it is. */
      done.accept(Cargo.Landing.REFUSED);
      return;
    }
    arrivals.put(cargo.shard(), arrived);
    if (cargo.last()) {
      generation = estate.put(cargo.shard(), Deed.Sort.READY, cargo.number());
      arrivals.remove(cargo.shard());
    }
    answering.whenKept(cargo.last() ? Cargo.Landing.READY : Cargo.Landing.NEXT, generation, done);
  }

  /** Its states are under rules that no change of a policy may end meanwhile. */
  private long unpack(Cargo cargo, long more) {
    long[] generation = new long[1];
    var unused =
        policies.build(
            () -> {
              if (!policies.isCurrent(shard)) {
                throw UnavailableException.unkept();
              }
              Freight.Shift shift =
                  new Freight.Shift(more, (check, text) -> note(check, text, more));
              generation[0] = shard.freight().unpack(cargo.bytes(), shift);
              return shard;
            });
    return generation[0];
  }

  private byte @Nullable [] note(long check, byte[] text, long more) {
    if (check != KeyDesk.ORDER) {
      return Stake.later(text, more, desk::resetAt);
    }
    desk.adopt(OrderNote.read(text), more, shard.clock().nanos());
    return null;
  }

  /** The checksum of pieces: that of those before, and one more. */
  public static long checksum(long before, byte[] piece) {
    CRC32C crc = new CRC32C();
    crc.update(piece);
    return before * 31 + crc.getValue();
  }

  /**
   * Follows what was agreed on: opens a shard that has arrived, or that was not moved after all,
   * and forgets what is left of one that is elsewhere. As long as it is not known what became of a
   * move, nothing changes.
   *
   * @param isHere whether this group has the shard, as was agreed
   */
  public synchronized void settle(Placement placement, boolean isHere) {
    int number = placement.shard();
    Deed deed = estate.deed(number);
    if (deed == null || deed.is(Deed.Sort.OPEN) || deed.is(Deed.Sort.GONE)) {
      return;
    }
    long move = deed.number();
    boolean isAborted = placement.isAborted(move);
    if (deed.is(Deed.Sort.FROZEN)) {
      if (isHere && isAborted && !placement.isMoving()) {
        open(number, placement.generation());
      } else if (!isHere && placement.generation() >= move) {
        drop(number, move);
      }
    } else if (isHere && placement.generation() == move && deed.is(Deed.Sort.READY)) {
      open(number, move);
    } else if (!isHere && isAborted) {
      drop(number, move);
    }
  }

  private void open(int number, long move) {
    var unused = estate.put(number, Deed.Sort.OPEN, move);
  }

  private void drop(int number, long move) {
    shard.freight().discard(all(number));
    arrivals.remove(number);
    var unused = estate.put(number, Deed.Sort.GONE, move);
  }

  /** Whether the log says of a shard that a move of it has not ended. */
  public boolean isUnsettled(int number) {
    return estate.isMoving(Signature.withShard(0, number));
  }
}
