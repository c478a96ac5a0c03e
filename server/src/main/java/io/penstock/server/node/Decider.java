package io.penstock.server.node;

import io.penstock.core.algorithm.Wide;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.StateTable;
import io.penstock.core.state.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Decides checks against the table, at an instant it is told: all descriptors, all limits, all or
 * nothing. Thread-safe.
 */
final class Decider {
  /** What was decided, and what it takes to settle it later. */
  record Verdict(List<Subject> subjects, List<Part> parts, Together turns, boolean allowed) {
    /** Whether anything was taken or given back. */
    boolean hasConsumed() {
      boolean consumed = false;
      for (Subject subject : subjects) {
        consumed |= subject.isCounted() && subject.asked().cost() != 0 && subject.hasTaken();
      }
      return allowed && consumed;
    }

    boolean isStrict() {
      boolean strict = false;
      for (Subject subject : subjects) {
        strict |= subject.isStrict();
      }
      return strict;
    }

    boolean isLogged() {
      boolean logged = false;
      for (Subject subject : subjects) {
        logged |= subject.isCounted() && !subject.isUnlogged();
      }
      return logged;
    }
  }

  /** How the turns of a check differ from plain taking. */
  interface Asking {
    void ask(Subject subject);

    /** Looks at all keys before anything is taken; throws if nothing is to be. */
    default void admit(List<Subject> subjects) {}
  }

  /** What is asked of each of several keys, told by its place among them. */
  interface Settling {
    void ask(int index, Subject subject);
  }

  static final Asking PLAIN = subject -> {};
  private static final ThreadLocal<Together> TURNS = ThreadLocal.withInitial(Together::new);

  private final Subjects directory;
  private final Outlook outlook;
  private final StateTable table;
  private final LongPredicate owned;

  /** Decides on a table, for keys of some hashes. */
  Decider(PolicyBook book, Keys keys, KeyOrders orders, StateTable table, LongPredicate owned) {
    this.directory = new Subjects(book, keys, orders);
    this.outlook = new Outlook(directory, table);
    this.table = table;
    this.owned = owned;
  }

  Verdict decide(CheckRequest request, long nowNanos, boolean durable) {
    return decide(request, nowNanos, durable, PLAIN);
  }

  /** Decides a check; the turns in the verdict are this thread's, until it decides again. */
  Verdict decide(CheckRequest request, long nowNanos, boolean durable, Asking asking) {
    List<Subject> subjects = own(request, nowNanos);
    Costs.require(request, subjects);
    boolean undecidable = false;
    boolean blocked = false;
    for (Subject subject : subjects) {
      undecidable |= !durable && subject.mustBeKept();
      blocked |= subject.isDenied(nowNanos);
    }
    if (undecidable) {
      return failed(subjects, nowNanos);
    }
    Together turns = TURNS.get().clear().onlyLooks(blocked);
    List<Subject> current = subjects;
    addTurns(current, turns, nowNanos, asking);
    while (turns.size() > 0 && !turns.isPlayed()) {
      turns.again();
      current = own(request, nowNanos);
      Costs.require(request, current);
      addTurns(current, turns, nowNanos, asking);
    }
    boolean passes = !blocked && (turns.size() == 0 || turns.allowed());
    return verdict(current, turns, nowNanos, passes, asking);
  }

  /** What a check is told for which there is no room: by its fail modes, and it takes nothing. */
  Verdict undecided(CheckRequest request, long nowNanos) {
    List<Subject> subjects = own(request, nowNanos);
    List<Part> parts = new ArrayList<>(subjects.size());
    boolean allowed = true;
    for (Subject subject : subjects) {
      boolean isOpen = subject.isCounted() && !subject.isDenied(nowNanos);
      parts.add(isOpen ? subject.undecided() : refused(subject, subjects, nowNanos));
      allowed &= parts.get(parts.size() - 1).allowed();
    }
    return new Verdict(subjects, parts, new Together(), allowed);
  }

  /** Whoever asked has routed by policies of its own: they may be older than those in force. */
  private List<Subject> own(CheckRequest request, long nowNanos) {
    List<Subject> subjects = subjects(request, nowNanos);
    for (Subject subject : subjects) {
      if (subject.isCounted() && !owned.test(subject.hash())) {
        throw new MisroutedException();
      }
    }
    return subjects;
  }

  List<Subject> subjects(CheckRequest request, long nowNanos) {
    List<Subject> subjects = new ArrayList<>(request.asked().size());
    for (Asked asked : request.asked()) {
      subjects.add(directory.of(request.domain(), asked, nowNanos));
    }
    return subjects;
  }

  /** The hash under which a key is counted: its own, or that of all who share a counter. */
  long counted(String domain, Descriptor descriptor) {
    return directory.counted(domain, descriptor);
  }

  /** The same of the first key of a request: what is remembered of the request goes with it. */
  long counted(CheckRequest request) {
    return counted(request.domain(), request.asked().get(0).descriptor());
  }

  /**
   * Whether the counters of a key are decided on here; of one that has moved away, they are not.
   */
  boolean owns(long hash) {
    return owned.test(hash);
  }

  boolean isStrict(String domain, Descriptor descriptor, long nowNanos) {
    return directory.of(domain, new Asked(descriptor, /* cost= */ 0, null), nowNanos).isStrict();
  }

  private void addTurns(List<Subject> subjects, Together turns, long nowNanos, Asking asking) {
    asking.admit(subjects);
    for (Subject subject : subjects) {
      if (subject.isCounted() && !subject.isShadow()) {
        subject.addTurns(turns, table, nowNanos, subject.asked().cost());
        asking.ask(subject);
      }
    }
  }

  private Verdict verdict(
      List<Subject> subjects, Together turns, long nowNanos, boolean passes, Asking asking) {
    List<Part> parts = new ArrayList<>(subjects.size());
    boolean allowed = passes;
    for (Subject subject : subjects) {
      if (subject.isDenied(nowNanos)) {
        parts.add(refused(subject, subjects, nowNanos));
      } else {
        Part answer = answer(subject, nowNanos, passes, asking);
        parts.add(
            subject.special().isAnsweredLikeOthers()
                ? answer
                : outlook.shown(answer, subject, nowNanos, costOfKey(subject, subjects)));
      }
      allowed &= parts.get(parts.size() - 1).allowed();
    }
    return new Verdict(subjects, parts, turns, allowed);
  }

  /** What a descriptor is told that is blocked, or for which nothing is counted. */
  private Part refused(Subject subject, List<Subject> all, long nowNanos) {
    return subject.isForbidden() || !subject.isDenied(nowNanos)
        ? subject.uncounted()
        : outlook.blocked(subject, nowNanos, costOfKey(subject, all));
  }

  private Part answer(Subject subject, long nowNanos, boolean passes, Asking asking) {
    if (!subject.isCounted()) {
      return subject.uncounted();
    }
    return subject.isShadow() ? shadow(subject, nowNanos, passes, asking) : subject.played();
  }

  /** What all descriptors of one key ask for together. */
  private static long costOfKey(Subject subject, List<Subject> all) {
    long cost = 0;
    for (Subject other : all) {
      boolean same = other.hash() == subject.hash();
      cost = same ? Wide.add(cost, Math.max(0, other.asked().cost())) : cost;
    }
    return cost;
  }

  /** A policy in shadow counts what passes, and stops nothing. */
  private Part shadow(Subject subject, long nowNanos, boolean passes, Asking asking) {
    return outlook.alone(subject, nowNanos, subject.asked().cost(), /* looks= */ !passes, asking);
  }

  /** Asks the counters of keys for something else than a cost, in shadow or not. */
  Verdict settle(String domain, List<Asked> keys, long nowNanos, Settling settling) {
    Together turns = TURNS.get().clear();
    List<Subject> asked = new ArrayList<>();
    boolean played = false;
    while (!played) {
      asked.clear();
      for (int i = 0; i < keys.size(); i++) {
        Subject subject = directory.of(domain, keys.get(i), nowNanos);
        /* Of a key that has moved away, what is left here is nobody's (R23). */
        if (subject.isCounted() && owned.test(subject.hash())) {
          subject.addTurns(turns, table, nowNanos, /* cost= */ 0);
          settling.ask(i, subject);
        }
        asked.add(subject);
      }
      played = turns.size() == 0 || turns.isPlayed();
      if (!played) {
        turns.again();
      }
    }
    return new Verdict(asked, List.of(), turns, /* allowed= */ true);
  }

  /** Nothing is taken: those that could have been decided say how they stand. */
  private Verdict failed(List<Subject> subjects, long nowNanos) {
    List<Part> parts = new ArrayList<>(subjects.size());
    for (Subject subject : subjects) {
      if (subject.mustBeKept()) {
        parts.add(subject.failed());
      } else {
        long cost = Math.max(0, subject.asked().cost());
        parts.add(
            subject.isCounted() ? outlook.look(subject, nowNanos, cost) : subject.uncounted());
      }
    }
    return new Verdict(subjects, parts, new Together(), /* allowed= */ false);
  }

  /** The index of the part whose numbers are told for the whole. */
  static int deciding(List<Part> parts) {
    int deciding = 0;
    for (int i = 1; i < parts.size(); i++) {
      deciding = isAhead(parts.get(i), parts.get(deciding)) ? i : deciding;
    }
    return deciding;
  }

  private static boolean isAhead(Part a, Part b) {
    if (a.allowed() != b.allowed()) {
      return !a.allowed();
    }
    if (a.retryAfterNanos() != b.retryAfterNanos()) {
      return a.retryAfterNanos() > b.retryAfterNanos();
    }
    Meter mine = a.meter();
    Meter other = b.meter();
    if (mine == null && other == null) {
      return a.why().isAhead(b.why());
    }
    return mine != null && (other == null || mine.isAhead(other));
  }
}
