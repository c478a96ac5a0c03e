package io.penstock.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log that other nodes keep, as far as it is told. Confined to the thread of a test. */
public final class FakeLog implements ShardLog {
  private final List<Consumer<Boolean>> waiting = new ArrayList<>();
  private boolean holds;
  private boolean lost;
  private boolean fresh = true;

  /** Keeps nothing until {@link #keep} or {@link #lose}. */
  public void hold() {
    holds = true;
  }

  /** Keeps what waits. */
  public void keep() {
    holds = false;
    tell(true);
  }

  /** Ownership ends: nobody knows what became of what waits, or of what follows. */
  public void lose() {
    lost = true;
    holds = false;
    tell(false);
  }

  /** Says whether what is answered at once is kept in time. */
  public void fresh(boolean isFresh) {
    fresh = isFresh;
  }

  /** How many answers wait. */
  public int waiting() {
    return waiting.size();
  }

  private void tell(boolean kept) {
    List<Consumer<Boolean>> told = List.copyOf(waiting);
    waiting.clear();
    told.forEach(waiter -> waiter.accept(kept));
  }

  @Override
  public void whenDurable(long generation, Consumer<Boolean> waiter) {
    if (holds) {
      waiting.add(waiter);
    } else {
      waiter.accept(!lost);
    }
  }

  @Override
  public boolean keepsUp(long nowNanos) {
    return fresh && !lost;
  }

  @Override
  public boolean isDurable() {
    return !lost;
  }

  @Override
  public boolean isReplicated() {
    return true;
  }

  @Override
  public @Nullable String trouble() {
    return null;
  }

  @Override
  public LogStats stats() {
    return LogStats.NONE;
  }

  @Override
  public void close() {}
}
