package io.penstock.core.state;

/**
 * Rewrites states of rules that have ended, a share of all stripes at a time, so that the numbers
 * of these rules can be used again (R12). Confined to whoever adds rules.
 */
final class Sweep {
  /**
   * A circle takes at most so many new rules. A number waits for less than two circles, so half of
   * all numbers are left for rules in force.
   */
  static final int CIRCLE = Rules.NUMBERS / 4;

  private final StateTable table;
  private final Rules rules;
  private int hand;
  private long latestNanos;

  Sweep(StateTable table, Rules rules) {
    this.table = table;
    this.rules = rules;
  }

  void run(long nowNanos) {
    latestNanos = Math.max(latestNanos, nowNanos);
    table.cells().rulesChanged();
    int count = table.cells().stripes().count();
    for (int i = 0; i < count / CIRCLE + 1; i++) {
      if (hand == 0) {
        rules.beginCircle(latestNanos);
      }
      sweep(hand, latestNanos);
      hand = (hand + 1) % count;
    }
  }

  private void sweep(int stripe, long nowNanos) {
    Turn turn = new Turn();
    int places = Stripes.pageCount(table.cells().stripes().note(stripe)) * Slots.PER_PAGE;
    for (int place = 0; place < places; place++) {
      table.lock(stripe);
      long header = table.cells().pages().get(stripe, place, 0);
      table.unlock(stripe);
      place += Slots.isWide(header) ? 1 : 0;
      Rule rule = table.cells().rule(header);
      if (rule != null && rule.isOver(nowNanos)) {
        turn.of(Slots.hash(header, stripe), rule.latest(nowNanos), nowNanos);
        rewrite(turn, stripe, rule.number());
      }
    }
  }

  /** A state whose limit was dropped for good is kept for a circle, should it return. */
  private void rewrite(Turn turn, int stripe, int number) {
    boolean dropped = turn.rule().isOver(turn.nowNanos());
    boolean done = false;
    if (!dropped || rules.added() - turn.rule().serial() > CIRCLE) {
      table.lockForWrite(stripe);
      done = table.cells().rewrite(turn, stripe, dropped);
      table.unlock(stripe);
    }
    if (!done) {
      rules.stillNeeds(number);
    }
  }
}
