package io.penstock.core.state;

import io.penstock.core.state.Turn.Ask;
import java.util.Arrays;

/**
 * Lists and restores the states of a table while decisions go on: what has changed, everything at
 * one instant, or one state put back. Thread-safe.
 */
public final class TrackedTable {
  private final StateTable table;
  private final Cells cells;
  private final Changes changes;

  TrackedTable(StateTable table, Cells cells, Changes changes) {
    this.table = table;
    this.cells = cells;
    this.changes = changes;
  }

  /** Lists every state changed since the last call, and perhaps some that lie beside them. */
  public synchronized void drainChanges(StateSink sink) {
    for (int word = 0; word < changes.markedStripeWords(); word++) {
      long marked = changes.takeMarkedStripes(word);
      for (; marked != 0; marked &= marked - 1) {
        int stripe = word * Long.SIZE + Long.numberOfTrailingZeros(marked);
        table.lockForWrite(stripe);
        long[] copy = copy(stripe, /* onlyMarked= */ true);
        long[] gone = changes.takeGone(stripe);
        changes.unmark(stripe);
        cells.unmarked(stripe);
        table.unlock(stripe);
        emit(gone, sink);
        emit(copy, sink);
      }
    }
  }

  /** Lists every state as it was at the instant of the call. */
  public synchronized void snapshot(StateSink sink) {
    int number = changes.raise();
    for (int stripe = 0; stripe < cells.stripes().count(); stripe++) {
      table.lock(stripe);
      setAside(stripe, number);
      long[] copy = changes.takeCopy(stripe);
      table.unlock(stripe);
      emit(copy, sink);
    }
  }

  /** Sets a copy of a held stripe aside if a snapshot before that number still needs it. */
  void setAside(int stripe, int number) {
    if (changes.needsCopy(stripe, number)) {
      changes.setAside(stripe, number, copy(stripe, /* onlyMarked= */ false));
    }
  }

  private long[] copy(int stripe, boolean onlyMarked) {
    Words words = new Words();
    Turn turn = new Turn();
    int places = cells.stripes().pageCount(stripe) * Slots.PER_PAGE;
    for (int place = 0; place < places; place++) {
      long header = cells.pages().get(stripe, place, 0);
      Rule rule = cells.rule(header);
      if (rule != null && (!onlyMarked || changes.isMarked(stripe, place))) {
        cells.read(turn, stripe, place, header);
        words.add(Slots.hash(header, stripe), rule.serial(), turn.step());
      }
      place += Slots.isWide(header) ? 1 : 0;
    }
    return words.toArray();
  }

  private static void emit(long[] copy, StateSink sink) {
    int at = 0;
    while (at < copy.length) {
      int length = (int) copy[at + 2];
      long[] words = Arrays.copyOfRange(copy, at + 3, at + 3 + length);
      sink.accept(copy[at], copy[at + 1], words);
      at += 3 + length;
    }
  }

  /** Puts a state back under a rule, in place of what the key has; false when memory is full. */
  public boolean restore(long hash, Rule rule, long[] words) {
    Turn turn = new Turn().of(hash, rule, /* nowNanos= */ 0).asks(Ask.RESTORE, 0, 0);
    int stripe = table.stripe(turn.hash());
    table.lockForWrite(stripe);
    try {
      table.load(turn);
      turn.restore(words);
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
}
