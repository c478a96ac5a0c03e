package io.penstock.core.policy;

import java.util.Arrays;

/**
 * The value of a level: a text in which {@code *} stands for anything, also for nothing. Immutable.
 *
 * <p>Kept as the literal texts between the stars; one of them alone is an exact value.
 */
public final class Glob {
  private static final char STAR = '*';

  private final String[] parts;
  private final int literalLength;

  private Glob(String[] parts) {
    this.parts = parts;
    int length = 0;
    for (String part : parts) {
      length += part.length();
    }
    this.literalLength = length;
  }

  /** Every star of the text is a wildcard. */
  public static Glob of(String text) {
    return new Glob(text.split("\\*", /* keep all= */ -1));
  }

  /** No star of the text is a wildcard. */
  public static Glob exactly(String text) {
    return new Glob(new String[] {text});
  }

  /** The texts before, between and behind the wildcards. */
  static Glob between(String... parts) {
    return new Glob(parts.clone());
  }

  public boolean isExact() {
    return parts.length == 1;
  }

  /** The one text that matches if this is exact. */
  public String exact() {
    return parts[0];
  }

  int parts() {
    return parts.length;
  }

  String part(int index) {
    return parts[index];
  }

  /**
   * Below 0 if the first one is more specific: it gives more characters. Then by text, so that the
   * order is total.
   */
  static int precedence(Glob one, Glob other) {
    int order = Integer.compare(other.literalLength, one.literalLength);
    return order != 0 ? order : Arrays.compare(one.parts, other.parts);
  }

  /** Whether a text matches from end to end. Allocates nothing. */
  public boolean matches(String text) {
    if (isExact()) {
      return exact().equals(text);
    }
    String first = parts[0];
    String last = parts[parts.length - 1];
    int end = text.length() - last.length();
    if (end < first.length() || !text.startsWith(first) || !text.endsWith(last)) {
      return false;
    }
    /* Between the two, the leftmost place of each part leaves the most room for the next. */
    int from = first.length();
    for (int i = 1; i < parts.length - 1; i++) {
      int at = text.indexOf(parts[i], from);
      if (at < 0 || at + parts[i].length() > end) {
        return false;
      }
      from = at + parts[i].length();
    }
    return true;
  }

  /**
   * Whether this matches every text that another one matches.
   *
   * <p>A wildcard of the other stands for any text, so also for a character that does not occur
   * here, which only a wildcard of this one matches; and what matches that character matches any
   * text in its place.
   */
  public boolean covers(Glob other) {
    char fresh = 0;
    while (holds(fresh)) {
      fresh++;
    }
    return matches(String.join(String.valueOf(fresh), other.parts));
  }

  private boolean holds(char c) {
    for (String part : parts) {
      if (part.indexOf(c) >= 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob glob && Arrays.equals(parts, glob.parts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(parts);
  }

  /** For messages; the text of a scope also tells a star that is meant as such. */
  @Override
  public String toString() {
    return String.join(String.valueOf(STAR), parts);
  }
}
