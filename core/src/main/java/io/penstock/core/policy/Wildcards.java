package io.penstock.core.policy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The wildcards of one key at one place, found by the literal text they begin with. Immutable;
 * lookups allocate nothing.
 *
 * <p>Of all beginnings in order, the last one that is not behind a value begins with every one that
 * the value begins with: so those are it and its parents, and no others have to be looked at.
 */
final class Wildcards {
  static final Wildcards NONE = new Wildcards(new String[0], new Globs[0]);

  /** In order, each once. */
  private final String[] beginnings;

  /** For each, the index of the longest other one that it begins with; -1 if there is none. */
  private final int[] parents;

  private final Globs[] groups;

  private Wildcards(String[] beginnings, Globs[] groups) {
    this.beginnings = beginnings;
    this.groups = groups;
    this.parents = new int[groups.length];
    for (int i = 0; i < groups.length; i++) {
      parents[i] = begun(beginnings[i], i - 1);
    }
  }

  /**
   * The longest beginning of a text, given the last one in order that may be one; -1 if none is.
   */
  private int begun(String text, int last) {
    int at = last;
    while (at >= 0 && !text.startsWith(beginnings[at])) {
      at = parents[at];
    }
    return at;
  }

  boolean isEmpty() {
    return groups.length == 0;
  }

  /** The most specific one that matches a value, of those behind another; null if none does. */
  @Nullable Glob next(String value, @Nullable Glob after) {
    Glob best = null;
    for (int i = begun(value, last(value)); i >= 0; i = parents[i]) {
      best = groups[i].better(best, value, after);
    }
    return best;
  }

  /** The most specific one that covers another, of those behind a third; null if none does. */
  @Nullable Glob nextCovering(Glob covered, @Nullable Glob after) {
    Glob best = null;
    String beginning = covered.part(0);
    for (int i = begun(beginning, last(beginning)); i >= 0; i = parents[i]) {
      best = groups[i].betterCovering(best, covered, after);
    }
    return best;
  }

  /** The last beginning in order that is not behind a text. */
  private int last(String text) {
    int at = Arrays.binarySearch(beginnings, text);
    return at >= 0 ? at : -at - 2;
  }

  @Nullable Object get(Glob glob) {
    int at = Arrays.binarySearch(beginnings, glob.part(0));
    return at < 0 ? null : groups[at].get(glob);
  }

  /** With a target at the end of one; null removes it. */
  Wildcards with(Glob glob, @Nullable Object target) {
    int found = Arrays.binarySearch(beginnings, glob.part(0));
    int at = found < 0 ? -found - 1 : found;
    Globs old = found < 0 ? Globs.NONE : groups[at];
    Globs group = old.with(glob, target);
    int width = group.isEmpty() ? 0 : 1;
    int oldWidth = found < 0 ? 0 : 1;
    int size = groups.length - oldWidth + width;
    String[] newBeginnings = Arrays.copyOf(beginnings, size);
    Globs[] newGroups = Arrays.copyOf(groups, size);
    int behind = groups.length - at - oldWidth;
    System.arraycopy(beginnings, at + oldWidth, newBeginnings, at + width, behind);
    System.arraycopy(groups, at + oldWidth, newGroups, at + width, behind);
    if (width == 1) {
      newBeginnings[at] = glob.part(0);
      newGroups[at] = group;
    }
    return new Wildcards(newBeginnings, newGroups);
  }
}
