package io.penstock.core.state;

/**
 * Lists the states of a table while decisions go on: what has changed in a generation, exactly, or
 * everything there is. Thread-safe.
 */
public final class TrackedTable {
  /** How full stripes are that grow in one step: less than what makes them grow again. */
  private static final int FILLED_PERCENT = 72;

  private final StateTable table;
  private final Cells cells;
  private final Changes changes;
  private final Words listed = new Words();
  private boolean isCut;
  private long unusedSum;

  TrackedTable(StateTable table, Cells cells, Changes changes) {
    this.table = table;
    this.cells = cells;
    this.changes = changes;
  }

  /** Whether anything may have changed that is not listed yet. */
  public boolean hasChanges() {
    return changes.hasMarkedStripes();
  }

  /**
   * Ends a generation, the number of which it answers: what is decided from now on belongs to the
   * next one. List its changes before the next cut.
   */
  public synchronized long cut() {
    if (isCut) {
      throw new IllegalStateException("cut: twice (expected: drainChanges in between)");
    }
    isCut = true;
    long ended = changes.raise();
    /* Whoever has read the number before holds stripes, and what it writes must be listed. */
    cells.stripes().awaitHolders();
    return ended;
  }

  /** Lists every state that was changed in the generation last cut, as that generation left it. */
  public synchronized void drainChanges(StateSink sink) {
    long number = changes.number();
    for (int word = 0; word < changes.markedStripeWords(); word++) {
      long marked = changes.takeMarkedStripes(word);
      touchMarked(word, marked);
      for (; marked != 0; marked &= marked - 1) {
        listed.clear();
        drain(word * Long.SIZE + Long.numberOfTrailingZeros(marked), number);
        listed.emit(sink);
      }
    }
    isCut = false;
  }

  /* What was decided milliseconds ago is far by now: its lines are asked for all at once. */
  private void touchMarked(int word, long marked) {
    for (long left = marked; left != 0; left &= left - 1) {
      int stripe = word * Long.SIZE + Long.numberOfTrailingZeros(left);
      int place = changes.nextMarked(stripe, 0);
      unusedSum += place < 0 ? 0 : cells.pages().get(stripe, place, 0);
    }
  }

  /** The number under which a stripe was last listed, if it is still the same when it is held. */
  long listedUnder(int stripe) {
    return changes.listedUnder(stripe);
  }

  private void drain(int stripe, long number) {
    table.lock(stripe);
    try {
      if (changes.isBehind(stripe, number)) {
        takeChanges(stripe, number, listed);
      } else {
        long[] copy = changes.takeCopy(stripe);
        if (copy != null) {
          listed.addAll(copy, copy.length);
        }
      }
    } finally {
      table.unlock(stripe);
    }
  }

  /** Sets aside what a held stripe has to list before a decision of that number writes to it. */
  void setAside(int stripe, long number) {
    if (!changes.isBehind(stripe, number)) {
      return;
    }
    if (changes.hasAny(stripe)) {
      Words words = new Words(changes.markedCount(stripe));
      takeChanges(stripe, number, words);
      changes.setAside(stripe, words.toArray());
    } else {
      changes.listed(stripe, number);
    }
  }

  private void takeChanges(int stripe, long number, Words words) {
    Words gone = changes.takeGone(stripe);
    if (gone != null) {
      words.addAll(gone);
    }
    int place = changes.nextMarked(stripe, 0);
    while (place >= 0) {
      add(stripe, place, words);
      place = changes.nextMarked(stripe, place + 1);
    }
    changes.listed(stripe, number);
    cells.unmarked(stripe);
  }

  private void add(int stripe, int place, Words words) {
    Pages pages = cells.pages();
    long header = pages.get(stripe, place, 0);
    Rule rule = cells.rule(header);
    if (rule == null) {
      return;
    }
    long hash = Slots.hash(header, stripe);
    if (Slots.kind(header) == Slots.LOG) {
      Turn turn = new Turn();
      cells.read(turn, stripe, place, header);
      words.add(hash, rule.serial(), turn.step());
    } else {
      boolean wide = Slots.isWide(header);
      long x = wide ? pages.get(stripe, place, 2) : 0;
      long y = wide ? pages.get(stripe, place, 3) : 0;
      words.add(hash, rule.serial(), pages.get(stripe, place, 1), x, y);
    }
  }

  /**
   * Lists every state there is, each stripe as it is when it is come to. With the changes of every
   * generation that was cut from then on until the end, this is the table at the last of them.
   */
  public void list(StateSink sink) {
    Words words = new Words();
    for (int stripe = 0; stripe < cells.stripes().count(); stripe++) {
      words.clear();
      table.lock(stripe);
      try {
        int places = cells.stripes().pageCount(stripe) * Slots.PER_PAGE;
        for (int place = 0; place < places; place++) {
          add(stripe, place, words);
          place += Slots.isWide(cells.pages().get(stripe, place, 0)) ? 1 : 0;
        }
      } finally {
        table.unlock(stripe);
      }
      words.emit(sink);
    }
  }

  /** Makes room for so many states at once, so that stripes need not grow step by step. */
  public void expect(long states) {
    cells.pages().expect(states * 100 / FILLED_PERCENT);
  }

  /** Puts states back that were listed. States that are over at that time take no room. */
  public Restorer restorer(long nowNanos) {
    return new Restorer(table, nowNanos);
  }

  /** Says that what was put back is listed already. */
  public synchronized void forgetChanges() {
    cut();
    drainChanges((hash, rule, words, from, length) -> {});
  }
}
