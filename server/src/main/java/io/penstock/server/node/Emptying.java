package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.StateTable;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Empties every counter of keys. Thread-safe. */
final class Emptying {
  private final Decider decider;
  private final StateTable table;
  private final KnownCounters known;

  Emptying(Decider decider, StateTable table, KnownCounters known) {
    this.decider = decider;
    this.table = table;
    this.known = known;
  }

  /*
   * What is counted now is emptied together, so that no check finds one limit empty and another
   * full. The other counters are nobody's at this moment, but a policy that is put back, or put
   * again, or enabled, or less specific reads them later: they go one by one.
   */
  void empty(String domain, List<Descriptor> descriptors, long nowNanos) {
    List<Asked> looks =
        descriptors.stream().map(each -> new Asked(each, /* cost= */ 0, null)).toList();
    Decider.Verdict verdict =
        decider.settle(domain, looks, nowNanos, (index, subject) -> askAll(subject));
    verdict.subjects().forEach(subject -> emptyOthers(subject, nowNanos));
  }

  private static void askAll(Subject subject) {
    for (int i = 0; i < subject.size(); i++) {
      subject.turn(i).asks(Ask.RESET, /* cost= */ 0, /* ticket= */ 0);
    }
  }

  private void emptyOthers(Subject subject, long nowNanos) {
    if (!decider.owns(subject.hash())) {
      return;
    }
    Set<Integer> emptied = new HashSet<>();
    for (int i = 0; i < subject.size(); i++) {
      emptied.add(subject.counter(i));
    }
    Turn turn = new Turn();
    for (int counter : known.all()) {
      if (!emptied.contains(counter)) {
        turn.of(KeyHash.slot(subject.hash(), counter), GivenRules.ANY, nowNanos)
            .asks(Ask.RESET, /* cost= */ 0, /* ticket= */ 0);
        table.play(turn);
      }
    }
  }
}
