package io.penstock.shard;

import io.penstock.core.Clock;
import io.penstock.core.state.Rules;
import io.penstock.core.state.StateTable;
import java.io.IOException;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Everything a shard remembers, as its log sees it. Thread-safe; one thread cuts.
 *
 * @param clock by which is decided
 * @param pace by which is written; the same clock, unless a test steps the other one
 */
record Contents(
    Rules rules,
    StateTable table,
    IdWindow ids,
    Marks marks,
    Notes notes,
    Generations generations,
    OnwardClock clock,
    Clock pace) {

  /** When a decision was made, by the clock that its writing is measured by. */
  long paceNanos(long decidedNanos) {
    return pace == clock ? decidedNanos : pace.nanos();
  }

  boolean hasChanges() {
    return table.tracked().hasChanges()
        || ids.hasChanges()
        || marks.window().hasChanges()
        || notes.hasChanges();
  }

  /**
   * Ends a generation and puts all of it, and the time, into a frame (R9). Answers that time: what
   * is in the frame was decided by then, also whatever took the room of what was over (R11).
   */
  long cutInto(Frame frame) throws IOException {
    ids.cutFollows();
    marks.window().cutFollows();
    notes.cutFollows();
    long ended = table.number();
    if (!generations.isEnded(table.tracked()::cut)) {
      throw new IOException("a decision does not come to an end");
    }
    long nowNanos = clock.nanos();
    frame.time(nowNanos);
    table.tracked().drainChanges(frame);
    ids.drain(ended, frame);
    marks.window().drain(ended, frame);
    notes.drain(ended, frame);
    return nowNanos;
  }

  /** Lists everything while decisions go on; the frames cut meanwhile complete it (R8). */
  void list(Chunks chunks, long nowNanos) {
    list(chunks, nowNanos, hash -> true, note -> true);
  }

  /** The same of states and ids of some hashes, and of some notes. */
  void list(Chunks chunks, long nowNanos, LongPredicate hashes, Predicate<NoteId> chosen) {
    table
        .tracked()
        .list(
            (hash, rule, words, from, length) -> {
              if (words[from] > nowNanos && hashes.test(hash)) {
                chunks.state(hash, rule, words, from, length);
              }
            });
    ids.list(chunks, hashes);
    marks.window().list(chunks, hashes);
    notes.list(chunks, chosen);
  }

  /** Forgets some of what is over at an instant. */
  void expire(long nowNanos) {
    ids.expire(nowNanos);
    marks.window().expire(nowNanos);
    notes.expire(nowNanos);
  }
}
