package io.penstock.core.state;

import io.penstock.core.Step;
import io.penstock.core.state.Turn.Ask;

/** Puts states back into a table. Confined to one thread; several may restore at once. */
public final class Restorer {
  private final StateTable table;
  private final Turn turn = new Turn();
  private long nowNanos;
  private long idleNanos;

  Restorer(StateTable table, long nowNanos) {
    this.table = table;
    this.nowNanos = nowNanos;
  }

  /** From now on states that were over by then also give up their room to others (R11). */
  public void goOnTo(long laterNanos) {
    nowNanos = laterNanos;
    idleNanos = laterNanos;
  }

  /**
   * Puts a state back under a rule, in place of what the key has; false when memory is full. The
   * first {@code length} words are those that were listed.
   */
  public boolean restore(long hash, Rule rule, long[] words, int length) {
    turn.of(hash, rule, idleNanos).asks(Ask.RESTORE, 0, 0);
    int stripe = table.stripe(turn.hash());
    table.lockForWrite(stripe);
    try {
      table.load(turn);
      if (words[0] <= nowNanos && !turn.hadState()) {
        return true;
      }
      restore(words, length);
      boolean room = table.reserve(turn);
      if (room) {
        table.keep(turn);
      }
      return room;
    } finally {
      turn.step().log().clear();
      table.unlock(stripe);
    }
  }

  /** Makes the state the one that was listed: until, x, y, then the entries of its log. */
  private void restore(long[] words, int length) {
    Step step = turn.step();
    step.log().dropFirst(step.log().size());
    step.until = words[0];
    step.x = words[1];
    step.y = turn.kind() == Slots.LOG ? step.y : words[2];
    for (int i = 3; i < length; i += 2) {
      step.log().append(words[i], words[i + 1]);
    }
  }
}
