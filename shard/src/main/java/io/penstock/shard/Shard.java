package io.penstock.shard;

import io.penstock.core.state.Rules;
import io.penstock.core.state.StateTable;
import java.util.function.Consumer;

/** The states, request ids and notes of one shard, in memory. Thread-safe. */
public final class Shard {
  private final Rules rules = new Rules();
  private final StateTable table = StateTable.tracked(rules, 1 << 28, /* stripes= */ 1 << 12);
  private final IdWindow ids = new IdWindow();
  private final Notes notes = new Notes();

  public long enter() {
    return 0;
  }

  public void leave(long generation) {}

  public boolean isDurable() {
    return true;
  }

  public void whenDurable(long generation, Consumer<Boolean> done) {
    done.accept(true);
  }

  public Rules rules() {
    return rules;
  }

  public StateTable table() {
    return table;
  }

  public IdWindow ids() {
    return ids;
  }

  public Notes notes() {
    return notes;
  }
}
