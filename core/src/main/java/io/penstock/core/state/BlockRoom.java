package io.penstock.core.state;

import io.penstock.core.Log;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;

/**
 * Finds blocks for logs: a free one, one put together from shorter ones, or one that an idle state
 * still holds. Thread-safe, for callers that hold the stripe of the log.
 */
final class BlockRoom implements Log.Space {
  /** How many other stripes are rid of idle states for one log, to stay below a millisecond. */
  private static final int STRIPES_PURGED = 16;

  private final Cells cells;
  private final Stripes stripes;
  private final Room room;
  private final Buddies buddies;
  private final Blocks blocks;
  private final LongPredicate moves = this::isMoved;
  private final AtomicInteger hand = new AtomicInteger();

  BlockRoom(Cells cells, Room room, Budget budget) {
    this.cells = cells;
    this.stripes = cells.stripes();
    this.room = room;
    this.buddies = new Buddies(budget);
    this.blocks = new Blocks(buddies);
  }

  Blocks blocks() {
    return blocks;
  }

  /** Makes room for what the log of a turn is to keep; false when memory is full. */
  private boolean reserve(Turn turn) {
    Log log = turn.step().log();
    long before = log.handle();
    boolean hasRoom = log.reserve(this);
    if (log.handle() != before) {
      buddies.owner(log.handle(), turn.hash());
    }
    return hasRoom;
  }

  @Override
  public boolean grow(Log log, int entries) {
    return blocks.grow(log, entries)
        || (buddies.vacate(Blocks.size(entries), moves) && blocks.grow(log, entries));
  }

  /**
   * The same, and if need be with blocks that idle states still hold, in this stripe and some that
   * nobody holds.
   */
  boolean reserveOrPurge(Turn turn, int stripe) {
    if (reserve(turn)) {
      return true;
    }
    room.purge(stripe, turn.nowNanos());
    return reserveOrPurgeOthers(turn);
  }

  /** The same, but the stripe of the turn stays as it is. */
  boolean reserveOrPurgeOthers(Turn turn) {
    boolean found = reserve(turn);
    int purged = 0;
    for (int i = 0; i < stripes.count() && purged < STRIPES_PURGED && !found; i++) {
      int other = stripes.of(hand.incrementAndGet());
      if (room.mayBeIdle(other, turn.nowNanos()) && isPurged(other, turn.nowNanos())) {
        purged++;
        found = reserve(turn);
      }
    }
    return found;
  }

  private boolean isPurged(int stripe, long nowNanos) {
    boolean locked = isLocked(stripe);
    if (locked) {
      try {
        room.purge(stripe, nowNanos);
      } finally {
        stripes.unlock(stripe);
      }
    }
    return locked;
  }

  /* Whoever holds a stripe must not wait for another. */
  private boolean isLocked(int stripe) {
    long word = stripes.note(stripe);
    return !Stripes.isLocked(word) && stripes.tryLock(stripe, word);
  }

  /** Brings a block elsewhere; false if somebody is at it, or if there is no other of its size. */
  private boolean isMoved(long handle) {
    long hash = buddies.owner(handle);
    int stripe = stripes.of(hash);
    if (!isLocked(stripe)) {
      return false;
    }
    try {
      int place = cells.find(hash, stripe);
      boolean named = place >= 0 && cells.block(stripe, place) == handle;
      long moved = named ? blocks.move(handle) : 0;
      if (moved != 0) {
        cells.pages().put(stripe, place, 3, moved);
      }
      return moved != 0;
    } finally {
      stripes.unlock(stripe);
    }
  }
}
