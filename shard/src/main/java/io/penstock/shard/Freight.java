package io.penstock.shard;

import io.penstock.core.Algorithm;
import io.penstock.core.algorithm.Arrears;
import io.penstock.core.state.Restorer;
import io.penstock.core.state.Rule;
import io.penstock.core.state.StateTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes the keys of some hashes out of a shard and into another, whose log has them from then on
 * (R23). Thread-safe; nobody may decide on these keys meanwhile.
 */
public final class Freight {
  /** So many states are forgotten at once, so that nobody waits for long. */
  private static final int FORGOTTEN_AT_ONCE = 1_000;

  private static final long[] EMPTY = new long[3];

  /**
   * Which of everything is meant.
   *
   * @param hashes of states, ids and notes
   * @param notExcepted which notes of these hashes: told by their second hash
   * @param always which notes of every hash, told likewise
   */
  public record Choice(LongPredicate hashes, LongPredicate notExcepted, LongPredicate always) {
    public Choice(LongPredicate hashes, LongPredicate notExcepted) {
      this(hashes, notExcepted, check -> false);
    }

    /** The same, and some notes of every hash. */
    public Choice withNotes(LongPredicate checks) {
      return new Choice(hashes, notExcepted, checks);
    }

    private boolean has(NoteId id) {
      return always.test(id.low()) || (hashes.test(id.high()) && notExcepted.test(id.low()));
    }
  }

  /** What becomes of the text of a note, told by its second hash; null if it is not to be kept. */
  public interface Retold {
    byte @Nullable [] note(long check, byte[] text);
  }

  /**
   * From the time of one shard to that of another. Immutable.
   *
   * @param nanos how far the time here is ahead of that at which all was packed
   * @param notes does the same to the text of a note
   */
  public record Shift(long nanos, Retold notes) {
    /*
     * Buckets, queues, logs and leases tell instants, which move. Windows keep their identity: they
     * are the same everywhere, and one that lies ahead counts as current. Of a state whose rule is
     * not known only its form is: a bucket or a window, which never ends earlier then.
     */
    void words(Rule rule, long[] words, int length) {
      Algorithm algorithm = rule.algorithm();
      boolean isWindow =
          algorithm == Algorithm.FIXED_WINDOW
              || (algorithm == Algorithm.SLIDING_WINDOW_COUNTER && words[2] >= 0);
      long more = rule.isGiven() && isWindow ? Math.max(0, nanos) : isWindow ? 0 : nanos;
      words[0] += Arrears.is(words[0]) ? 0 : more;
      for (int i = EMPTY.length; i < length; i += 2) {
        words[i] += more;
      }
    }

    byte @Nullable [] note(NoteId id, byte[] text) {
      return notes.note(id.low(), text);
    }
  }

  private final Shard shard;
  private final Contents contents;

  Freight(Shard shard, Contents contents) {
    this.shard = shard;
    this.contents = contents;
  }

  /** What is remembered of some keys, in pieces of about a megabyte. */
  public List<byte[]> pack(Choice choice) {
    List<byte[]> pieces = new ArrayList<>();
    Chunks.Output output =
        new Chunks.Output() {
          @Override
          public long next() {
            return pieces.size() + 1L;
          }

          @Override
          public void append(Frame frame) {
            ByteBuffer records = frame.finish().position(Frame.HEAD + Frame.STAMP);
            byte[] piece = new byte[records.remaining()];
            records.get(piece);
            pieces.add(piece);
          }
        };
    long nowNanos = contents.clock().nanos();
    Chunks chunks = new Chunks(output, new Frame(contents.rules()), nowNanos);
    contents.list(chunks, nowNanos, choice.hashes, choice::has);
    try {
      chunks.end();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return pieces;
  }

  /** Takes over a piece that another shard has packed; answers the generation it belongs to. */
  public long unpack(byte[] piece, Shift shift) {
    ByteBuffer records = ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN);
    long generation = shard.enter();
    try {
      Applier.ofFreight(contents, shift).apply(records);
    } finally {
      shard.leave(generation);
    }
    return generation;
  }

  /** Forgets states and notes of some keys. Their ids stay: they are told from others forever. */
  public void discard(Choice choice) {
    StateTable table = contents.table();
    List<long[]> found = new ArrayList<>();
    table
        .tracked()
        .list(
            (hash, rule, words, from, length) -> {
              if (choice.hashes.test(hash)) {
                found.add(new long[] {hash, rule});
              }
            });
    Restorer restorer = table.tracked().restorer(contents.clock().nanos());
    for (int at = 0; at < found.size(); at += FORGOTTEN_AT_ONCE) {
      long generation = shard.enter();
      try {
        int end = Math.min(found.size(), at + FORGOTTEN_AT_ONCE);
        found.subList(at, end).forEach(each -> forget(restorer, each[0], each[1]));
      } finally {
        shard.leave(generation);
      }
    }
    forgetNotes(choice);
  }

  private void forget(Restorer restorer, long hash, long serial) {
    Rule rule = contents.rules().bySerial(serial);
    if (rule != null && !restorer.restore(hash, rule, EMPTY, EMPTY.length)) {
      throw new IllegalStateException("state: not forgotten (expected: it takes no room)");
    }
  }

  private void forgetNotes(Choice choice) {
    List<NoteId> found = new ArrayList<>();
    contents
        .notes()
        .forEach(
            (hash, check, text) -> {
              NoteId id = new NoteId(hash, check);
              if (choice.has(id)) {
                found.add(id);
              }
            });
    long generation = shard.enter();
    try {
      found.forEach(id -> contents.notes().remove(id.high(), id.low()));
    } finally {
      shard.leave(generation);
    }
  }
}
