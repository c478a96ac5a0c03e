package io.penstock.core.state;

import io.penstock.core.Step;
import io.penstock.core.state.Turn.Ask;
import org.jspecify.annotations.Nullable;

/**
 * The states in the slots of a table: finding, reading, writing and moving them. What concerns a
 * stripe is confined to the thread that holds it.
 */
final class Cells {
  private final Rules rules;
  private final Stripes stripes;
  private final Pages pages;
  private final Room room;
  private final BlockRoom blockRoom;
  private final Blocks blocks;
  private final Rehoming rehoming;
  private final Latest latest;
  private final @Nullable Changes changes;

  /* Whether slots of several kinds may lie side by side; see Pages.find. */
  private boolean mixed;

  Cells(Rules rules, Stripes stripes, Budget budget, boolean tracked) {
    this.rules = rules;
    this.stripes = stripes;
    this.pages = new Pages(stripes.count(), budget.part());
    this.room = new Room(this);
    this.blockRoom = new BlockRoom(this, room, budget.part());
    this.blocks = blockRoom.blocks();
    this.rehoming = new Rehoming(this, blockRoom);
    this.latest = new Latest(stripes.count());
    this.changes = tracked ? new Changes(stripes.count(), pages.max()) : null;
  }

  /** The place of a key in a stripe that is held. */
  int find(long hash, int stripe) {
    return find(hash, stripe, stripes.pageCount(stripe));
  }

  /** The place of a key in a stripe of so many pages, held or not. */
  int find(long hash, int stripe, int pageCount) {
    return pages.find(hash, stripe, pageCount, mixed);
  }

  /** The place of a one-word slot with that very header, in a stripe held or not. */
  int findOne(long header, int stripe, int pageCount) {
    int place = find(header, stripe, pageCount);
    return place >= 0 && pages.get(stripe, place, 0) == header ? place : Pages.NOWHERE;
  }

  /** Whether what looks like a header may be a word of a wide state. */
  boolean isMixed() {
    return mixed;
  }

  /** Reads the state of a turn, whose stripe is held, and begins it. */
  void load(Turn turn, int stripe) {
    latest.bring(turn, stripe);
    int place = find(turn.hash(), stripe);
    long header = place < 0 ? 0 : pages.get(stripe, place, 0);
    read(turn, stripe, place, header);
    if (!turn.begin(place < 0 ? null : rule(header))) {
      return;
    }
    if (turn.looks()) {
      turn.forgetLogIfIdle();
      return;
    }
    if (place >= 0 && Slots.kind(header) != turn.kind()) {
      rehoming.rehome(turn, stripe, header);
    } else if (Slots.kind(header) == Slots.LOG && turn.step().until == 0) {
      /* Idle: another turn held together with this one may take the slot, so the block goes now. */
      turn.forgetLogIfIdle();
      dropBlock(stripe, place, header);
      pages.put(stripe, place, 1, 0);
      pages.put(stripe, place, 2, 0);
      room.idleFrom(stripe, 0);
      turn.rehomed();
    } else if (turn.hadState() && pages.get(stripe, place, 1) <= turn.nowNanos()) {
      keepLive(turn, stripe, place);
    }
  }

  /** As it stands it is idle, for another turn held together with this one to take. */
  private void keepLive(Turn turn, int stripe, int place) {
    if (turn.kind() != Slots.LOG || blockRoom.reserveOrPurgeOthers(turn)) {
      write(turn, stripe, place);
      turn.rehomed();
    }
  }

  /** Reads a slot, or none, into the step of a turn. */
  void read(Turn turn, int stripe, int place, long header) {
    Step step = turn.step();
    boolean wide = place >= 0 && Slots.isWide(header);
    step.until = place < 0 ? 0 : pages.get(stripe, place, 1);
    step.x = wide ? pages.get(stripe, place, 2) : 0;
    step.y = wide ? pages.get(stripe, place, 3) : 0;
    blocks.attach(step.log(), Slots.kind(header) == Slots.LOG ? step.y : 0);
  }

  /** Makes room for a turn that was played; false when memory is full. */
  boolean reserve(Turn turn, int stripe) {
    int place = find(turn.hash(), stripe);
    if (place < 0 && turn.step().until == 0) {
      /* It was reset, and its slot was of another kind. */
      return true;
    }
    if (place < 0) {
      place = insert(turn, stripe);
      if (place < 0) {
        return false;
      }
      turn.fresh(true);
      pages.put(stripe, place, 0, header(turn));
    }
    if (Slots.kind(pages.get(stripe, place, 0)) != turn.kind()) {
      return false;
    }
    if (!turn.hadState()) {
      /* Another turn held together with this one must not take the slot for idle any more. */
      turn.fresh(true);
      pages.put(stripe, place, 0, header(turn));
      pages.put(stripe, place, 1, turn.nowNanos() + 1);
    }
    if (turn.kind() == Slots.LOG) {
      boolean hasRoom = blockRoom.reserveOrPurge(turn, stripe);
      place = find(turn.hash(), stripe);
      pages.put(stripe, place, 3, turn.step().log().handle());
      return hasRoom || Unnoted.staysUsed(turn, this, stripe);
    }
    return true;
  }

  /** Takes back the room of a turn that is not kept after all. */
  void release(Turn turn, int stripe) {
    if (turn.isFresh()) {
      giveUp(stripe, find(turn.hash(), stripe));
    }
  }

  /**
   * A slot for a key that has none, or {@link Pages#NOWHERE} if memory is full. It is idle to
   * nobody and found by nobody until {@link #write}.
   */
  int insert(Turn turn, int stripe) {
    int place = room.find(turn, stripe);
    if (place >= 0) {
      pages.put(stripe, place, 0, Slots.givenUp(turn.kind()));
      pages.put(stripe, place, 1, turn.nowNanos() + 1);
      if (turn.kind() != Slots.ONE) {
        mixed = true;
        pages.put(stripe, place, 2, 0);
        pages.put(stripe, place, 3, 0);
      }
    }
    return place;
  }

  /** Writes what room was made for. */
  void keep(Turn turn, int stripe) {
    int place = find(turn.hash(), stripe);
    if (place >= 0) {
      write(turn, stripe, place);
    }
  }

  void write(Turn turn, int stripe, int place) {
    Step step = turn.step();
    pages.put(stripe, place, 0, header(turn));
    pages.put(stripe, place, 1, step.until);
    if (turn.kind() == Slots.LOG) {
      step.log().settle();
      step.y = blocks.keep(step.log());
    }
    if (turn.kind() != Slots.ONE) {
      pages.put(stripe, place, 2, step.x);
      pages.put(stripe, place, 3, step.y);
    }
    room.idleFrom(stripe, step.until);
    if (changes != null) {
      changes.mark(stripe, place);
    }
  }

  private static long header(Turn turn) {
    return Slots.header(turn.hash(), turn.kind(), turn.rule().number());
  }

  /**
   * Brings the state of a turn to its rule, or gives its slot up if nothing is left of it; false if
   * there is no room for it under its rule.
   */
  boolean rewrite(Turn turn, int stripe, boolean forget) {
    try {
      load(turn, stripe);
      boolean live = !forget && turn.step().until > turn.nowNanos();
      boolean hasRoom = !live || reserve(turn, stripe);
      int place = find(turn.hash(), stripe);
      if (live && hasRoom) {
        write(turn, stripe, place);
      } else if (!live && place >= 0) {
        turn.step().log().clear();
        giveUp(stripe, place);
      }
      return hasRoom;
    } finally {
      turn.step().log().clear();
    }
  }

  /*
   * Who read the clock early comes late, perhaps after others have found its state to be idle and
   * given its slot away. Decided at its own instant, nothing would be used by then, and what it
   * takes be over by now: a second burst.
   */
  /** Lets a turn that finds no state be decided no earlier than one may have been forgotten. */
  void miss(Turn turn, int stripe, int place) {
    if (place < 0 && turn.ask() != Ask.RESTORE) {
      turn.notBefore(room.forgottenAt(stripe));
    }
  }

  /** How often the states of a stripe have been moved, all at once. */
  int moves(int stripe) {
    return room.moves(stripe);
  }

  /** Says that the slots of a stripe may be forgotten again. */
  void unmarked(int stripe) {
    room.idleFrom(stripe, 0);
  }

  /** Says that states may be idle earlier than they say, because a rule has changed. */
  void rulesChanged() {
    room.idleFromNowOn();
  }

  /**
   * Leaves a slot that is idle, that no hash matches, and that a search does not take for empty.
   */
  void giveUp(int stripe, int place) {
    long header = pages.get(stripe, place, 0);
    Rule rule = rule(header);
    if (changes != null && rule != null && changes.isMarked(stripe, place)) {
      changes.addGone(stripe, Slots.hash(header, stripe), rule.serial());
    }
    dropBlock(stripe, place, header);
    pages.put(stripe, place, 0, Slots.givenUp(Slots.kind(header)));
    pages.put(stripe, place, 1, 0);
    room.idleFrom(stripe, 0);
  }

  /**
   * Frees the block of a slot that is about to be given to another key or to none. A log that is
   * attached to it is cleared before: it may put back there what it has written over.
   */
  void dropBlock(int stripe, int place, long header) {
    if (Slots.kind(header) == Slots.LOG) {
      blocks.free(pages.get(stripe, place, 3));
      pages.put(stripe, place, 3, 0);
    }
  }

  /** The block that a slot names; 0 for none. */
  long block(int stripe, int place) {
    boolean log = Slots.kind(pages.get(stripe, place, 0)) == Slots.LOG;
    return log ? pages.get(stripe, place, 3) : 0;
  }

  /** The rule a state was written under; null for a slot that is empty or was given up. */
  @Nullable Rule rule(long header) {
    int number = Slots.rule(header);
    return number == Rules.GIVEN ? rules.givenOf(Slots.kind(header)) : rules.get(number);
  }

  @Nullable Rule ruleNumbered(int number) {
    return rules.get(number);
  }

  /** A slot that has changed and was not listed yet must not be forgotten. */
  boolean isMarked(int stripe, int place) {
    return changes != null && changes.isMarked(stripe, place);
  }

  @Nullable Changes changes() {
    return changes;
  }

  Pages pages() {
    return pages;
  }

  Stripes stripes() {
    return stripes;
  }
}
