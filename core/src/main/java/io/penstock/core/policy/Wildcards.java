package io.penstock.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * The wildcards of one key at one place, most specific first: the longest literal text, then the
 * order of the texts. Immutable.
 */
final class Wildcards {
  static final Wildcards NONE = new Wildcards(new Glob[0], new Object[0]);

  private final Glob[] globs;

  /** What is at the end of each. */
  private final Object[] targets;

  private Wildcards(Glob[] globs, Object[] targets) {
    this.globs = globs;
    this.targets = targets;
  }

  boolean isEmpty() {
    return globs.length == 0;
  }

  int size() {
    return globs.length;
  }

  Glob glob(int index) {
    return globs[index];
  }

  Object target(int index) {
    return targets[index];
  }

  /** The first one from an index on that matches a value; -1 if none does. Allocates nothing. */
  int next(String value, int from) {
    for (int i = from; i < globs.length; i++) {
      if (globs[i].matches(value)) {
        return i;
      }
    }
    return -1;
  }

  @Nullable Object get(Glob glob) {
    int at = place(glob);
    return isAt(glob, at) ? targets[at] : null;
  }

  /** With a target at the end of one; null removes it. */
  Wildcards with(Glob glob, @Nullable Object target) {
    int at = place(glob);
    int behind = isAt(glob, at) ? at + 1 : at;
    int width = target == null ? 0 : 1;
    int size = at + width + globs.length - behind;
    Glob[] newGlobs = new Glob[size];
    Object[] newTargets = new Object[size];
    System.arraycopy(globs, 0, newGlobs, 0, at);
    System.arraycopy(targets, 0, newTargets, 0, at);
    if (target != null) {
      newGlobs[at] = glob;
      newTargets[at] = target;
    }
    System.arraycopy(globs, behind, newGlobs, at + width, globs.length - behind);
    System.arraycopy(targets, behind, newTargets, at + width, globs.length - behind);
    return new Wildcards(newGlobs, newTargets);
  }

  private boolean isAt(Glob glob, int at) {
    return at < globs.length && globs[at].equals(glob);
  }

  /** Where one is, or belongs. */
  private int place(Glob glob) {
    int low = 0;
    int high = globs.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Glob.BY_PRECEDENCE.compare(globs[middle], glob) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
