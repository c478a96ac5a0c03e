package io.penstock.core.state;

import io.penstock.core.Step;
import io.penstock.core.state.Turn.Ask;

/**
 * Moves a state when a changed rule needs a slot of another kind. What concerns a stripe is
 * confined to the thread that holds it.
 */
final class Rehoming {
  private final Cells cells;
  private final Pages pages;
  private final BlockRoom blockRoom;

  Rehoming(Cells cells, BlockRoom blockRoom) {
    this.cells = cells;
    this.pages = cells.pages();
    this.blockRoom = blockRoom;
  }

  /*
   * The converted state moves before anything is decided, which changes nothing for the key. If
   * there is no room, it stays, and the turn is unkept. Once there is a target its stripe must not
   * be written anew: nobody would find the target. What is to be forgotten needs none.
   */
  void rehome(Turn turn, int stripe, long header) {
    Step step = turn.step();
    boolean live = step.until > turn.nowNanos();
    if (Slots.kind(header) == Slots.LOG) {
      step.log().clear();
    }
    step.y = turn.kind() == Slots.LOG ? 0 : step.y;
    boolean moves = live && turn.ask() != Ask.RESET;
    int target = moves ? target(turn, stripe) : Pages.NOWHERE;
    if (moves && target < 0) {
      return;
    }
    giveUp(stripe, cells.find(turn.hash(), stripe), /* listed= */ live && !moves);
    if (moves) {
      cells.write(turn, stripe, target);
    }
    turn.rehomed();
  }

  /** A slot, and a block if it needs one, or {@link Pages#NOWHERE} if memory is full. */
  private int target(Turn turn, int stripe) {
    /* By its old rule the slot of before may look idle, and be the first that is found. */
    int place = cells.find(turn.hash(), stripe);
    long until = pages.get(stripe, place, 1);
    pages.put(stripe, place, 1, turn.nowNanos() + 1);
    try {
      int target = cells.insert(turn, stripe);
      if (target < 0 || blockRoom.reserveOrPurgeOthers(turn)) {
        return target;
      }
      cells.giveUp(stripe, target);
      return Pages.NOWHERE;
    } finally {
      pages.put(stripe, cells.find(turn.hash(), stripe), 1, until);
    }
  }

  /** What is live and forgotten may have been listed before, and is to be listed as gone. */
  private void giveUp(int stripe, int place, boolean listed) {
    Changes changes = cells.changes();
    if (listed && changes != null) {
      changes.mark(stripe, place);
    }
    cells.giveUp(stripe, place);
  }
}
