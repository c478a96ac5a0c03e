package io.penstock.core.state;

/**
 * Rewrites states of rules that have ended, a share of all stripes at a time, so that the numbers
 * of these rules can be used again (R12). Confined to whoever adds rules.
 */
final class Sweep {
  /*
   * Numbers are many and changes of a policy few, so there is a pause between two circles: most
   * processes never sweep. A number waits for a pause and two circles at the most, which leaves
   * half of all numbers for rules in force.
   */

  /** So many new rules pass between the beginnings of two circles, at the least. */
  static final int PAUSE = Rules.NUMBERS / 4;

  /** A circle takes at most so many new rules. */
  static final int CIRCLE = Rules.NUMBERS / 8;

  private final StateTable table;
  private final Rules rules;
  private final Rules.Circle circle;
  private int hand;
  private long latestNanos;
  private long begunAt;

  Sweep(StateTable table, Rules rules) {
    this.table = table;
    this.rules = rules;
    this.circle = rules.join();
  }

  /** Nobody decides on the table any more. */
  void end() {
    rules.leave(circle);
  }

  void run(long nowNanos) {
    latestNanos = Math.max(latestNanos, nowNanos);
    table.cells().rulesChanged();
    int count = table.cells().stripes().count();
    for (int i = 0; i < count / CIRCLE + 1 && !isPausing(); i++) {
      if (hand == 0) {
        begunAt = rules.added();
        rules.beginCircle(circle, latestNanos);
      }
      sweep(hand, latestNanos);
      hand = (hand + 1) % count;
      if (hand == 0) {
        rules.endCircle(circle);
      }
    }
  }

  private boolean isPausing() {
    return hand == 0 && rules.added() - begunAt < PAUSE;
  }

  /** Visits every slot of a stripe, and all of them again if they were moved meanwhile. */
  private void sweep(int stripe, long nowNanos) {
    Turn turn = new Turn();
    Cells cells = table.cells();
    int moves = 0;
    int place = 0;
    boolean more = true;
    while (more) {
      long header;
      table.lock(stripe);
      try {
        place = cells.moves(stripe) == moves ? place : 0;
        moves = cells.moves(stripe);
        header = cells.pages().get(stripe, place, 0);
        place += Slots.isWide(header) ? 2 : 1;
        more = place < cells.stripes().pageCount(stripe) * Slots.PER_PAGE;
      } finally {
        table.unlock(stripe);
      }
      Rule rule = cells.rule(header);
      if (rule != null && rule.isOver(nowNanos)) {
        turn.of(Slots.hash(header, stripe), rule.latest(nowNanos), nowNanos);
        rewrite(turn, stripe, rule.number());
      }
    }
  }

  /** A state whose limit was dropped is forgotten: should it return, it begins at zero. */
  private void rewrite(Turn turn, int stripe, int number) {
    boolean dropped = turn.rule().isOver(turn.nowNanos());
    boolean done = false;
    table.lockForWrite(stripe);
    try {
      done = table.cells().rewrite(turn, stripe, dropped);
    } finally {
      table.unlock(stripe);
      if (!done) {
        rules.stillNeeds(number);
      }
    }
  }
}
