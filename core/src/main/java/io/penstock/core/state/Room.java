package io.penstock.core.state;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds slots for new keys: an idle one, an empty one, or one in a stripe written anew. What
 * concerns a stripe is confined to the thread that holds it.
 */
final class Room {
  /** Filled slots per 100 above which a stripe is written anew, and grows if it can. */
  private static final int GROW_PERCENT = 80;

  /** Filled slots per 100 up to which a stripe that cannot grow takes new keys. */
  private static final int FULL_PERCENT = 95;

  /** A stripe that, rid of idle slots, is filled to less than this does not grow. */
  private static final int KEEP_PERCENT = 74;

  /** Written anew without growing, a stripe takes so many per 100 before the next time. */
  private static final int PAUSE_PERCENT = 6;

  private final Cells cells;
  private final Stripes stripes;
  private final int[] used;
  private final long[] nextIdle;
  private final long[] forgottenAt;
  private final int[] writtenAnewAt;
  private final int[] moves;
  private final AtomicReference<@Nullable Rebuild> spare = new AtomicReference<>();

  Room(Cells cells) {
    this.cells = cells;
    this.stripes = cells.stripes();
    this.used = new int[stripes.count()];
    this.nextIdle = new long[stripes.count()];
    this.forgottenAt = new long[stripes.count()];
    this.writtenAnewAt = new int[stripes.count()];
    this.moves = new int[stripes.count()];
    Arrays.fill(writtenAnewAt, share(/* stripe= */ 0, GROW_PERCENT));
  }

  /** A place for the turn's kind of slot, or {@link Pages#NOWHERE} if memory is full. */
  int find(Turn turn, int stripe) {
    int need = turn.kind() == Slots.ONE ? 1 : 2;
    int place = firstFree(turn, stripe, need);
    boolean crowded = used[stripe] + need > writtenAnewAt[stripe];
    if (place < 0 || (crowded && !isTaken(stripe, place))) {
      /* Enough slots but no pair of them: singles lie scattered, and writing anew packs them. */
      boolean scattered = place < 0 && used[stripe] + need <= share(stripe, FULL_PERCENT);
      if (scattered || mayHelp(stripe, turn.nowNanos())) {
        makeRoom(stripe, need, turn.nowNanos());
        place = firstFree(turn, stripe, need);
      }
      if (!isTaken(stripe, place) && used[stripe] + need > share(stripe, FULL_PERCENT)) {
        return Pages.NOWHERE;
      }
    }
    if (isTaken(stripe, place)) {
      forget(stripe, turn.nowNanos());
      cells.dropBlock(stripe, place, cells.pages().get(stripe, place, 0));
    } else if (place >= 0) {
      used[stripe] += need;
    }
    return place;
  }

  private boolean isTaken(int stripe, int place) {
    return place >= 0 && cells.pages().get(stripe, place, 0) != 0;
  }

  /** So many per 100 of the slots of a stripe. */
  private int share(int stripe, int percent) {
    return (int) ((long) stripes.pageCount(stripe) * Slots.PER_PAGE * percent / 100);
  }

  /** The first slot from the key's home on that is idle and of the right kind, or empty. */
  private int firstFree(Turn turn, int stripe, int need) {
    int slots = stripes.pageCount(stripe) * Slots.PER_PAGE;
    int place = Slots.home(turn.hash(), stripes.pageCount(stripe)) * Slots.PER_PAGE;
    for (int i = 0; i < slots; i += need) {
      if (isFree(stripe, place, need) || isIdle(stripe, place, need, turn.nowNanos())) {
        return place;
      }
      place = place + need == slots ? 0 : place + need;
    }
    return Pages.NOWHERE;
  }

  private boolean isFree(int stripe, int place, int need) {
    return cells.pages().get(stripe, place, 0) == 0
        && (need == 2
            ? cells.pages().get(stripe, place + 1, 0) == 0
            : (place & 1) == 0 || !Slots.isWide(cells.pages().get(stripe, place - 1, 0)));
  }

  private boolean isIdle(int stripe, int place, int need, long nowNanos) {
    long header = cells.pages().get(stripe, place, 0);
    boolean kindFits = Slots.isWide(header) == (need == 2);
    boolean isSlot = (place & 1) == 0 || !Slots.isWide(cells.pages().get(stripe, place - 1, 0));
    if (header == 0 || !kindFits || !isSlot || cells.pages().get(stripe, place, 1) > nowNanos) {
      return false;
    }
    Rule rule = cells.rule(header);
    return (rule == null || !rule.isOver(nowNanos)) && !cells.isMarked(stripe, place);
  }

  /** Whether writing a stripe anew can win anything: more pages, or the slots of idle states. */
  private boolean mayHelp(int stripe, long nowNanos) {
    return cells.pages().canGrow(stripes.pageCount(stripe)) || mayBeIdle(stripe, nowNanos);
  }

  private void makeRoom(int stripe, int need, long nowNanos) {
    int before = stripes.pageCount(stripe);
    Rebuild rebuild = takeSpare();
    forget(stripe, nowNanos);
    rebuild.gather(stripe, before, nowNanos);
    boolean grow = rebuild.slots() + need > share(stripe, KEEP_PERCENT);
    finish(rebuild, stripe, grow ? cells.pages().grown(before) : before);
  }

  /** Rids a held stripe of idle states, without growing it. */
  void purge(int stripe, long nowNanos) {
    if (mayBeIdle(stripe, nowNanos)) {
      Rebuild rebuild = takeSpare();
      forget(stripe, nowNanos);
      rebuild.gather(stripe, stripes.pageCount(stripe), nowNanos);
      finish(rebuild, stripe, stripes.pageCount(stripe));
    }
  }

  /** Whether a stripe may have idle states. Who does not hold it may be told what was before. */
  boolean mayBeIdle(int stripe, long nowNanos) {
    return nowNanos >= nextIdle[stripe];
  }

  private Rebuild takeSpare() {
    Rebuild rebuild = spare.getAndSet(null);
    return rebuild == null ? new Rebuild(cells) : rebuild;
  }

  private void finish(Rebuild rebuild, int stripe, int pageCount) {
    boolean grows = pageCount > stripes.pageCount(stripe);
    rebuild.scatter(stripe, stripes.pageCount(stripe), pageCount);
    moves[stripe]++;
    stripes.pageCount(stripe, pageCount);
    used[stripe] = rebuild.slots();
    nextIdle[stripe] = rebuild.nextIdle();
    int later = Math.min(share(stripe, FULL_PERCENT), used[stripe] + share(stripe, PAUSE_PERCENT));
    writtenAnewAt[stripe] = Math.max(share(stripe, GROW_PERCENT), grows ? 0 : later);
    spare.set(rebuild);
  }

  private void forget(int stripe, long nowNanos) {
    forgottenAt[stripe] = Math.max(forgottenAt[stripe], nowNanos);
  }

  /** The latest instant by which a state of a stripe was idle, and forgotten. */
  long forgottenAt(int stripe) {
    return forgottenAt[stripe];
  }

  /** How often a held stripe has been written anew. */
  int moves(int stripe) {
    return moves[stripe];
  }

  /** Says that any slot may be idle now. */
  void idleFromNowOn() {
    Arrays.fill(nextIdle, 0);
  }

  /** Says that a slot may become idle earlier than it seemed. */
  void idleFrom(int stripe, long nanos) {
    nextIdle[stripe] = Math.min(nextIdle[stripe], nanos);
  }
}
