package io.penstock.cli.cluster;

import io.penstock.cli.cluster.Attempt.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds everything that clients were told against what a cluster promises, key by key. Confined to
 * one thread.
 */
final class Checker {
  private final long capacity;
  private final List<String> problems = new ArrayList<>();

  private Checker(long capacity) {
    this.capacity = capacity;
  }

  /**
   * What is wrong with a history of checks that ask for one unit each; empty if nothing is.
   *
   * @param capacity what each key may be allowed, all in all
   * @param used what each key has used in the end, when everything was healed
   */
  static List<String> problems(List<Attempt> history, long capacity, Map<String, Long> used) {
    Checker checker = new Checker(capacity);
    byKey(history)
        .forEach(
            (key, attempts) -> {
              attempts.forEach(checker::answer);
              checker.count(key, attempts, used.getOrDefault(key, -1L));
              checker.epochs(key, attempts);
            });
    return checker.problems;
  }

  /**
   * The same of keys that gain a unit with each interval: no span may admit more than the capacity
   * and what comes back in it (L1).
   */
  static List<String> problemsOfBucket(List<Attempt> history, long capacity, long intervalNanos) {
    Checker checker = new Checker(capacity);
    byKey(history)
        .forEach(
            (key, attempts) -> {
              attempts.forEach(checker::answer);
              checker.flow(key, attempts, intervalNanos);
              checker.epochs(key, attempts);
            });
    return checker.problems;
  }

  private static Map<String, List<Attempt>> byKey(List<Attempt> history) {
    Map<String, List<Attempt>> byKey = new TreeMap<>();
    for (Attempt attempt : history) {
      byKey.computeIfAbsent(attempt.key(), key -> new ArrayList<>()).add(attempt);
    }
    return byKey;
  }

  private void answer(Attempt attempt) {
    if (attempt.verdict().kind() == Kind.WRONG) {
      problems.add(attempt + ": never to be said");
    }
    if (attempt.verdict().remaining() < 0 || attempt.verdict().remaining() > capacity) {
      problems.add(attempt + ": remaining is not between 0 and " + capacity);
    }
  }

  /*
   * What was allowed is counted, each request id once, and nothing else is but what may have been
   * counted without being told. So a counter lies between the two.
   */
  private void count(String key, List<Attempt> attempts, long used) {
    Set<String> first = new HashSet<>();
    Set<String> allowed = new HashSet<>();
    Set<String> unknown = new HashSet<>();
    for (int i = 0; i < attempts.size(); i++) {
      Attempt attempt = attempts.get(i);
      String id = attempt.id() == null ? "without an id, " + i : attempt.id();
      if (attempt.isAllowed()) {
        allowed.add(id);
        if (!attempt.verdict().isDuplicate() && !first.add(id)) {
          problems.add(key + ": request id " + id + " was allowed twice");
        }
      } else if (attempt.isUnknown()) {
        unknown.add(id);
      }
    }
    unknown.removeAll(allowed);
    long most = allowed.size() + (long) unknown.size();
    if (allowed.size() > capacity) {
      problems.add(key + ": allowed " + allowed.size() + " (expected: <= " + capacity + ")");
    }
    if (used < allowed.size()) {
      problems.add(key + ": used " + used + " (expected: >= allowed: " + allowed.size() + ")");
    }
    if (used > most) {
      problems.add(key + ": used " + used + " (expected: <= allowed and unknown: " + most + ")");
    }
  }

  /** What was both sent and heard within a span was decided in it; the worst span is told. */
  private void flow(String key, List<Attempt> attempts, long intervalNanos) {
    List<Attempt> allowed =
        attempts.stream()
            .filter(each -> each.isAllowed() && !each.verdict().isDuplicate())
            .sorted(Comparator.comparingLong(each -> each.span().heardNanos()))
            .toList();
    long worst = 0;
    String problem = "";
    for (Attempt first : allowed) {
      long from = first.span().sentNanos();
      long count = 0;
      for (Attempt last : allowed) {
        count += last.span().sentNanos() >= from ? 1 : 0;
        long nanos = last.span().heardNanos() - from;
        long most = capacity + nanos / intervalNanos;
        if (nanos > 0 && count - most > worst) {
          worst = count - most;
          problem = "allowed " + count + " within " + nanos + " ns (expected: <= " + most + ")";
        }
      }
    }
    if (worst > 0) {
      problems.add(key + ": " + problem);
    }
  }

  /** Who is asked after a later owner has answered is not answered by an earlier one. */
  private void epochs(String key, List<Attempt> attempts) {
    List<Attempt> decided =
        attempts.stream().filter(each -> each.verdict().isDecidedAnew()).toList();
    List<Attempt> heard = new ArrayList<>(decided);
    List<Attempt> sent = new ArrayList<>(decided);
    heard.sort(Comparator.comparingLong(each -> each.span().heardNanos()));
    sent.sort(Comparator.comparingLong(each -> each.span().sentNanos()));
    int next = 0;
    long newest = 0;
    for (Attempt attempt : sent) {
      while (heard.get(next).span().heardNanos() < attempt.span().sentNanos()) {
        newest = Math.max(newest, heard.get(next++).verdict().epoch());
      }
      if (attempt.verdict().epoch() < newest) {
        problems.add(key + ": " + attempt + ": epoch " + newest + " has answered before");
      }
    }
  }
}
