package io.penstock.server.policy.ratelimit;

import io.penstock.core.policy.Glob;
import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of one domain that have a limit, level by level. Confined to the thread that reads.
 */
final class LimitTree {
  private static final char STAR = '*';

  /** What follows a key: exact values, and what stands for many, wildcards and the bare key. */
  private record Branch(Map<Level, LimitTree> exact, Map<Level, LimitTree> open) {
    private Branch() {
      this(new HashMap<>(), new HashMap<>());
    }

    private Map<Level, LimitTree> like(Level level) {
      return isExact(level) ? exact : open;
    }
  }

  private final Map<String, Branch> branches = new HashMap<>();
  private boolean limited;

  /** Notes that a scope has a limit. */
  void add(Scope scope) {
    LimitTree node = this;
    for (Level level : scope.levels()) {
      Branch branch = node.branches.computeIfAbsent(level.key(), key -> new Branch());
      node = branch.like(level).computeIfAbsent(level, same -> new LimitTree());
    }
    node.limited = true;
  }

  /**
   * Whether a limit of a less specific scope would apply to a descriptor that a scope stands for,
   * if nothing were at that scope itself.
   */
  boolean hasLess(Scope scope) {
    return hasLess(scope.levels());
  }

  /** At the first level that differs, the less specific scope stands for many. */
  private boolean hasLess(List<Level> levels) {
    Branch branch = levels.isEmpty() ? null : branches.get(levels.get(0).key());
    if (branch == null) {
      return false;
    }
    Level level = levels.get(0);
    List<Level> rest = levels.subList(1, levels.size());
    LimitTree same = branch.like(level).get(level);
    return (same != null && same.hasLess(rest))
        || (level.value() != null && anyMeets(branch.open, level, same, rest));
  }

  /** Whether a limit below this applies to a descriptor that some levels stand for. */
  private boolean meets(List<Level> levels) {
    if (levels.isEmpty()) {
      return limited;
    }
    Level level = levels.get(0);
    Branch branch = branches.get(level.key());
    if (branch == null) {
      return false;
    }
    List<Level> rest = levels.subList(1, levels.size());
    LimitTree same = branch.like(level).get(level);
    return (same != null && same.meets(rest))
        || anyMeets(branch.open, level, same, rest)
        || (!isExact(level) && anyMeets(branch.exact, level, same, rest));
  }

  private static boolean anyMeets(
      Map<Level, LimitTree> some, Level level, @Nullable LimitTree but, List<Level> rest) {
    for (Map.Entry<Level, LimitTree> each : some.entrySet()) {
      LimitTree node = each.getValue();
      if (node != but && meet(each.getKey().value(), level.value()) && node.meets(rest)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isExact(Level level) {
    Glob value = level.value();
    return value != null && value.isExact();
  }

  /** Whether there is a text that both match. */
  private static boolean meet(@Nullable Glob one, @Nullable Glob other) {
    if (one == null || other == null) {
      return true;
    }
    if (one.isExact() || other.isExact()) {
      return one.isExact() ? other.matches(one.exact()) : one.matches(other.exact());
    }
    // What is between the first and the last star of both can follow one another.
    String text = one.toString();
    String text2 = other.toString();
    String begin = text.substring(0, text.indexOf(STAR));
    String begin2 = text2.substring(0, text2.indexOf(STAR));
    String end = text.substring(text.lastIndexOf(STAR) + 1);
    String end2 = text2.substring(text2.lastIndexOf(STAR) + 1);
    return (begin.startsWith(begin2) || begin2.startsWith(begin))
        && (end.endsWith(end2) || end2.endsWith(end));
  }
}
