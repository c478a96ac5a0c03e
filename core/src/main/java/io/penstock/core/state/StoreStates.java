package io.penstock.core.state;

import io.penstock.core.Log;
import io.penstock.core.Step;
import io.penstock.core.Store;
import java.nio.LongBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * States in a store that somebody else wrote. Thread-safe: the keys of a stripe are decided one
 * after the other, so the store needs no lock of its own.
 */
public final class StoreStates implements States {
  /* The array of a state: until, serial number of the rule, x, y, then the entries of its log. */
  private static final int RULE = 1;
  private static final int X = 2;
  private static final int Y = 3;
  private static final int ENTRIES = 4;

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

  public StoreStates(Rules rules, Store store) {
    this.rules = rules;
    this.store = store;
    java.util.Arrays.setAll(locks, i -> new ReentrantLock());
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
      turn.play();
      if (turn.isChanged() && reserve(turn)) {
        keep(turn);
      }
    } finally {
      turn.step().log().clear();
      unlock(stripe);
    }
  }

  @Override
  public void load(Turn turn) {
    Step step = turn.step();
    step.log().clear();
    long[] state = store.get(turn.hash());
    step.until = state == null ? 0 : state[0];
    step.x = state == null ? 0 : state[X];
    step.y = state == null ? 0 : state[Y];
    if (state != null && state.length > ENTRIES) {
      int entries = (state.length - ENTRIES) / 2;
      LongBuffer words = LongBuffer.wrap(state.clone());
      step.log().attach(words, ENTRIES, entries);
      step.log().contents(0, entries);
    }
    turn.begin(state == null ? null : rule(turn, state[RULE]));
  }

  /** A rule that is older than all numbers is taken for the turn's own. */
  private @Nullable Rule rule(Turn turn, long serial) {
    Rule rule = rules.bySerial(serial);
    return rule != null ? rule : turn.rule();
  }

  @Override
  public boolean reserve(Turn turn) {
    return turn.step().log().reserve(HEAP);
  }

  @Override
  public void keep(Turn turn) {
    Step step = turn.step();
    step.log().settle();
    if (step.until <= turn.nowNanos()) {
      store.remove(turn.hash());
      return;
    }
    long[] state = new long[ENTRIES + 2 * step.log().size()];
    state[0] = step.until;
    state[RULE] = turn.rule().serial();
    state[X] = step.x;
    state[Y] = step.y;
    for (int i = 0; i < step.log().size(); i++) {
      state[ENTRIES + 2 * i] = step.log().time(i);
      state[ENTRIES + 2 * i + 1] = step.log().amount(i);
    }
    store.put(turn.hash(), state);
  }

  @Override
  public void release(Turn turn) {}

  /* States carry serial numbers, which never come round: there is nothing to rewrite. */
  @Override
  public void sweep(long nowNanos) {
    rules.beginCircle(nowNanos);
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
  public void beforeWrites(int stripe, int number) {}

  @Override
  public int number() {
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
