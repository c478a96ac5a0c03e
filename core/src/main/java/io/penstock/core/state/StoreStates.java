package io.penstock.core.state;

import io.penstock.core.Log;
import io.penstock.core.Step;
import io.penstock.core.Store;
import io.penstock.core.state.Turn.Ask;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * States in a store that somebody else wrote. Thread-safe: the keys of a stripe are decided one
 * after the other, so the store needs no lock of its own.
 *
 * <p>What the store throws makes a check full. Whatever else was asked has no fail mode, and throws
 * it too. A put that failed may have been carried out: either way, what was there is put back.
 */
public final class StoreStates implements States {
  /*
   * The array of a state: until, who wrote it (process, limiter), serial number of the rule, x, y,
   * the length of the rule's text and the text, then the entries of its log.
   *
   * A serial number means something to the limiter that gave it and to no other. A store may
   * outlive its limiter, so the state tells its rule in words too, and the next limiter converts it
   * as if the policy had been changed.
   */
  private static final int WRITER_PROCESS = 1;
  private static final int WRITER = 2;
  private static final int SERIAL = 3;
  private static final int X = 4;
  private static final int Y = 5;
  private static final int TEXT_LENGTH = 6;
  private static final int TEXT = 7;

  private static final long PROCESS = UUID.randomUUID().getMostSignificantBits();
  private static final int STRIPES = 256;

  private static final Log.Space HEAP =
      (log, entries) -> {
        log.moveTo(LongBuffer.allocate(2 * entries), 0, entries);
        return true;
      };

  private final long order = StateTable.nextOrder();
  private final Rules rules;
  private final Store store;
  private final ReentrantLock[] locks = new ReentrantLock[STRIPES];
  private final Latest latest = new Latest(STRIPES);

  public StoreStates(Rules rules, Store store) {
    this.rules = rules;
    this.store = store;
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  @Override
  public void play(Turn turn) {
    int stripe = stripe(turn.hash());
    lock(stripe);
    try {
      load(turn);
      if (turn.isOutdated()) {
        return;
      }
      boolean unread = turn.isFull();
      turn.play();
      if (unread) {
        turn.fullIfAllowed();
      } else if (turn.isChanged() && !reserve(turn)) {
        turn.unkept();
      }
    } finally {
      turn.step().log().clear();
      turn.stored = null;
      unlock(stripe);
    }
  }

  @Override
  public void load(Turn turn) {
    latest.bring(turn, stripe(turn.hash()));
    Step step = turn.step();
    step.log().clear();
    step.clear();
    long[] state = stored(turn);
    turn.stored = state;
    if (state == null) {
      turn.begin(null);
      return;
    }
    Rule writtenBy = rule(state, turn.rule());
    if (writtenBy == null) {
      useUp(turn);
      return;
    }
    step.until = state[0];
    step.x = state[X];
    step.y = state[Y];
    int base = TEXT + (int) state[TEXT_LENGTH];
    int entries = (state.length - base) / 2;
    if (entries > 0) {
      step.log().attach(LongBuffer.wrap(state.clone()), base, entries);
      step.log().contents(0, entries);
    }
    turn.begin(writtenBy);
  }

  private long @Nullable [] stored(Turn turn) {
    try {
      return store.get(turn.hash());
    } catch (RuntimeException e) {
      fail(turn, e);
      return null;
    }
  }

  private static void fail(Turn turn, RuntimeException cause) {
    if (turn.ask() != Ask.TAKE) {
      throw cause;
    }
    turn.full(true);
  }

  /** The rule a state was written under, or null if nobody knows. */
  private @Nullable Rule rule(long[] state, Rule current) {
    if (state.length < TEXT || state.length - TEXT < state[TEXT_LENGTH] || state[TEXT_LENGTH] < 0) {
      return null;
    }
    if (state[WRITER_PROCESS] == PROCESS && state[WRITER] > order) {
      throw new IllegalStateException(
          "store: in use by a younger limiter (expected: one limiter at a time)");
    }
    boolean own = state[WRITER_PROCESS] == PROCESS && state[WRITER] == order;
    Rule rule = own ? rules.bySerial(state[SERIAL]) : null;
    return rule != null
        ? rule
        : RuleText.read(state, TEXT, (int) state[TEXT_LENGTH], current.algorithm());
  }

  /* What cannot be read counts as all used when the rule began: too much, and not for ever. */
  private static void useUp(Turn turn) {
    Rule rule = turn.rule();
    turn.step().used(rule.limit().capacity(), /* part= */ 0, /* of= */ 1);
    rule.algorithm().carry(turn.step(), rule.limit(), rule.sinceNanos());
    turn.begin(rule);
  }

  @Override
  public boolean reserve(Turn turn) {
    if (turn.isFull() || !turn.step().log().reserve(HEAP)) {
      return false;
    }
    turn.step().log().settle();
    turn.fresh(true);
    try {
      put(turn.hash(), turn.step().until <= turn.nowNanos() ? null : words(turn));
      return true;
    } catch (RuntimeException e) {
      release(turn);
      fail(turn, e);
      return false;
    }
  }

  private void put(long hash, long @Nullable [] state) {
    if (state == null) {
      store.remove(hash);
    } else {
      store.put(hash, state);
    }
  }

  private long[] words(Turn turn) {
    Step step = turn.step();
    long[] text = RuleText.words(turn.rule());
    int base = TEXT + text.length;
    long[] state = new long[base + 2 * step.log().size()];
    state[0] = step.until;
    state[WRITER_PROCESS] = PROCESS;
    state[WRITER] = order;
    state[SERIAL] = turn.rule().serial();
    state[X] = step.x;
    state[Y] = step.y;
    state[TEXT_LENGTH] = text.length;
    System.arraycopy(text, 0, state, TEXT, text.length);
    for (int i = 0; i < step.log().size(); i++) {
      state[base + 2 * i] = step.log().time(i);
      state[base + 2 * i + 1] = step.log().amount(i);
    }
    return state;
  }

  @Override
  public void keep(Turn turn) {}

  @Override
  public void release(Turn turn) {
    if (turn.isFresh()) {
      turn.fresh(false);
      try {
        put(turn.hash(), turn.stored);
      } catch (RuntimeException e) {
        /* The caller hears that nobody knows: of the first failure, or by the fail mode. */
      }
    }
  }

  /* States carry serial numbers, which never come round: there is nothing to rewrite. */
  @Override
  public void sweep(long nowNanos) {
    rules.sweptWithoutStates(nowNanos);
  }

  @Override
  public long order() {
    return order;
  }

  @Override
  public int stripe(long hash) {
    return (int) hash & (STRIPES - 1);
  }

  @Override
  public void lock(int stripe) {
    locks[stripe].lock();
  }

  @Override
  public void beforeWrites(int stripe, long number) {}

  @Override
  public long number() {
    return 0;
  }

  @Override
  public void unlock(int stripe) {
    locks[stripe].unlock();
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public long bytesMax() {
    return Long.MAX_VALUE;
  }
}
