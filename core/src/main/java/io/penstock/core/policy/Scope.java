package io.penstock.core.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a policy lives: {@code domain/key[=value][/key[=value]…]}. Immutable.
 *
 * <p>One scope has one text, so that it can name a document; {@link ScopeText} says how it reads.
 */
public final class Scope {
  /** The most characters of a scope. */
  public static final int LENGTH_MAX = 2_048;

  /** The most levels of a scope; a descriptor with more entries has no policy. */
  public static final int LEVELS_MAX = 16;

  private final String text;
  private final String domain;
  private final List<Level> levels;

  private Scope(String text, String domain, List<Level> levels) {
    this.text = text;
    this.domain = domain;
    this.levels = List.copyOf(levels);
    String problem = problem();
    if (problem != null) {
      throw bad(text, problem);
    }
  }

  /** Reads a scope; says what is wrong with it by an {@link IllegalArgumentException}. */
  public static Scope parse(String text) {
    if (text.length() > LENGTH_MAX) {
      throw bad(text, "at most " + LENGTH_MAX + " characters, not " + text.length());
    }
    Scope scope = ScopeText.read(text);
    if (text.indexOf(ScopeText.ESCAPE) >= 0) {
      String canonical = ScopeText.write(scope.domain, scope.levels);
      if (!canonical.equals(text)) {
        throw bad(text, "written as " + canonical);
      }
    }
    return scope;
  }

  /** The domain that a text begins with, be the rest of it a scope or not. */
  public static String domainOf(String text) {
    return ScopeText.domain(text);
  }

  /** The scope of some levels, in the one way to write it. */
  public static Scope of(String domain, List<Level> levels) {
    return new Scope(ScopeText.write(domain, levels), domain, levels);
  }

  /** The scope of a text whose parts are known. */
  static Scope read(String text, String domain, List<Level> levels) {
    return new Scope(text, domain, levels);
  }

  private @Nullable String problem() {
    if (text.length() > LENGTH_MAX) {
      return "at most " + LENGTH_MAX + " characters, not " + text.length();
    }
    if (domain.isEmpty()) {
      return "a domain before the first slash";
    }
    if (levels.isEmpty()) {
      return "domain/key[=value][/key[=value]…]";
    }
    if (levels.size() > LEVELS_MAX) {
      return "at most " + LEVELS_MAX + " levels, not " + levels.size();
    }
    if (!isUnicode(text)) {
      return "no half of a surrogate pair";
    }
    return null;
  }

  /** Half a pair cannot be stored or sent: two such texts would become one. */
  private static boolean isUnicode(String text) {
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        return false;
      }
      at += Character.charCount(point);
    }
    return true;
  }

  /** This, with one star where several follow each other, which say no more. */
  public Scope withSingleStars() {
    List<Level> single =
        levels.stream()
            .map(level -> new Level(level.key(), ScopeText.withSingleStars(level.value())))
            .toList();
    return single.equals(levels) ? this : of(domain, single);
  }

  static IllegalArgumentException bad(String text, String expected) {
    return new IllegalArgumentException("scope: " + shown(text) + " (expected: " + expected + ")");
  }

  private static String shown(String text) {
    int most = 100;
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  public String domain() {
    return domain;
  }

  public List<Level> levels() {
    return levels;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Scope scope && text.equals(scope.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The text, letter for letter. */
  @Override
  public String toString() {
    return text;
  }
}
