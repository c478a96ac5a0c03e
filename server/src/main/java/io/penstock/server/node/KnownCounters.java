package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.PolicyDocument;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The counters that any limit reads, or has read, wherever that was: those of a key that may have
 * counted something, though nothing that applies to it now reads them. Thread-safe.
 *
 * <p>A counter is that of a period, so there are few: they are not known by scope, nor forgotten.
 * Beyond so many a new one is not remembered.
 */
final class KnownCounters {
  /** Looking through so many counters of one key takes less than a millisecond. */
  static final int COUNTERS_MAX = 4_096;

  private final Set<Integer> counters = ConcurrentHashMap.newKeySet();

  KnownCounters() {
    GivenRules.UNITS.forEach(unit -> add(Counters.ofGiven(unit)));
  }

  private void add(int counter) {
    if (counters.size() < COUNTERS_MAX) {
      counters.add(counter);
    }
  }

  void add(Grant grant) {
    for (int i = 0; i < grant.size(); i++) {
      add(grant.counter(i));
    }
  }

  /** Limits read these counters at some time. */
  void add(List<Limit> limits, Counters read) {
    limits.forEach(limit -> add(read.of(limit)));
    read.moved().values().forEach(this::add);
  }

  /** What policies said before their last change. What they took from a tier is known by that. */
  void load(Consumer<Consumer<Change>> past) {
    past.accept(this::add);
  }

  private void add(Change change) {
    String document = change.document();
    try {
      if (document != null) {
        List<Limit> own = PolicyDocument.parse(change.kind(), document).ownLimits();
        add(own, Counters.parse(change.counters()));
      }
    } catch (InvalidPolicyException tooOld) {
      /* Nobody can put it in force again; what it counted is over, or known by another policy. */
    }
  }

  /** Each of them. */
  Set<Integer> all() {
    return Collections.unmodifiableSet(counters);
  }
}
