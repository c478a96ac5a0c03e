package io.penstock.core.policy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Wildcards that begin with the same text, most specific first. Immutable. */
final class Globs {
  static final Globs NONE = new Globs(new Glob[0], new Object[0]);

  private final Glob[] globs;

  /** What is at the end of each. */
  private final Object[] targets;

  private Globs(Glob[] globs, Object[] targets) {
    this.globs = globs;
    this.targets = targets;
  }

  boolean isEmpty() {
    return globs.length == 0;
  }

  @Nullable Glob better(@Nullable Glob best, String value, @Nullable Glob after) {
    for (int i = first(after); i < globs.length && isBetter(globs[i], best); i++) {
      if (globs[i].matches(value)) {
        return globs[i];
      }
    }
    return best;
  }

  @Nullable Glob betterCovering(@Nullable Glob best, Glob covered, @Nullable Glob after) {
    for (int i = first(after); i < globs.length && isBetter(globs[i], best); i++) {
      if (globs[i].covers(covered)) {
        return globs[i];
      }
    }
    return best;
  }

  private static boolean isBetter(Glob glob, @Nullable Glob best) {
    return best == null || Glob.precedence(glob, best) < 0;
  }

  private int first(@Nullable Glob after) {
    int at = after == null ? 0 : place(after);
    return after != null && isAt(after, at) ? at + 1 : at;
  }

  @Nullable Object get(Glob glob) {
    int at = place(glob);
    return isAt(glob, at) ? targets[at] : null;
  }

  Globs with(Glob glob, @Nullable Object target) {
    int at = place(glob);
    int oldWidth = isAt(glob, at) ? 1 : 0;
    int width = target == null ? 0 : 1;
    int size = globs.length - oldWidth + width;
    Glob[] newGlobs = Arrays.copyOf(globs, size);
    Object[] newTargets = Arrays.copyOf(targets, size);
    int behind = globs.length - at - oldWidth;
    System.arraycopy(globs, at + oldWidth, newGlobs, at + width, behind);
    System.arraycopy(targets, at + oldWidth, newTargets, at + width, behind);
    if (target != null) {
      newGlobs[at] = glob;
      newTargets[at] = target;
    }
    return new Globs(newGlobs, newTargets);
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
      if (Glob.precedence(globs[middle], glob) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
