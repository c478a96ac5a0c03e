package io.penstock.core.policy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a scope, read and written. Confined to one thread.
 *
 * <p>The first {@code =} of a level separates its key from its value. A slash begins a new level if
 * a key follows it: at least one character, none of them a star. Where none follows, and where a
 * value begins with a slash, the rest of the text is that value: {@code api/endpoint=/search},
 * {@code api/file=docs/*}. A backslash before {@code /}, {@code =} or {@code *} makes that an
 * ordinary character; backslashes just before such a character are doubled, all others are not.
 */
final class ScopeText {
  static final char ESCAPE = '\\';

  private static final char SLASH = '/';
  private static final char EQUALS = '=';
  private static final char STAR = '*';

  private final String text;
  private final StringBuilder plain = new StringBuilder();

  /** Where in the plain text a slash, equals sign or star stands that is not escaped. */
  private final BitSet signs = new BitSet();

  private ScopeText(String text) {
    this.text = text;
    unescape();
  }

  static Scope read(String text) {
    ScopeText parts = new ScopeText(text);
    List<Level> levels = parts.levels();
    if (levels == null) {
      throw Scope.bad(text, "a key without * after each slash");
    }
    return Scope.read(text, parts.domain(), levels);
  }

  static String domain(String text) {
    return new ScopeText(text).domain();
  }

  private void unescape() {
    int escapes = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == ESCAPE) {
        escapes++;
      } else if (isSign(c)) {
        plain.setLength(plain.length() - (escapes + 1) / 2);
        signs.set(plain.length(), escapes % 2 == 0);
        escapes = 0;
      } else {
        escapes = 0;
      }
      plain.append(c);
    }
  }

  private static boolean isSign(char c) {
    return c == SLASH || c == EQUALS || c == STAR;
  }

  private String domain() {
    return plain.substring(0, next(0, SLASH, SLASH));
  }

  /** Null if a key is missing. */
  private @Nullable List<Level> levels() {
    List<Level> levels = new ArrayList<>();
    int at = next(0, SLASH, SLASH);
    while (at < plain.length()) {
      int key = at + 1;
      if (!isKey(key)) {
        return null;
      }
      int keyEnd = next(key, SLASH, EQUALS);
      boolean bare = !is(keyEnd, EQUALS);
      at = bare ? keyEnd : valueEnd(keyEnd + 1);
      levels.add(new Level(plain.substring(key, keyEnd), bare ? null : value(keyEnd + 1, at)));
    }
    return levels;
  }

  /** Where the value that begins at a place ends. */
  private int valueEnd(int from) {
    int slash = next(from, SLASH, SLASH);
    return slash > from && slash < plain.length() && isKey(slash + 1) ? slash : plain.length();
  }

  private boolean isKey(int from) {
    int end = next(from, SLASH, EQUALS);
    return end > from && next(from, STAR, STAR) >= end;
  }

  private Glob value(int from, int to) {
    List<String> parts = new ArrayList<>(1);
    int start = from;
    for (int star = next(from, STAR, STAR); star < to; star = next(start, STAR, STAR)) {
      parts.add(plain.substring(start, star));
      start = star + 1;
    }
    parts.add(plain.substring(start, to));
    return Glob.between(parts.toArray(new String[0]));
  }

  /** Where one of two signs stands next; the length of the text if nowhere. */
  private int next(int from, char one, char other) {
    int at = signs.nextSetBit(from);
    while (at >= 0 && !is(at, one) && !is(at, other)) {
      at = signs.nextSetBit(at + 1);
    }
    return at < 0 ? plain.length() : at;
  }

  private boolean is(int at, char sign) {
    return signs.get(at) && plain.charAt(at) == sign;
  }

  /** Between two stars that follow each other is nothing: one of them is left. */
  static @Nullable Glob withSingleStars(@Nullable Glob value) {
    if (value == null) {
      return null;
    }
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < value.parts(); i++) {
      boolean atAnEnd = i == 0 || i == value.parts() - 1;
      if (atAnEnd || !value.part(i).isEmpty()) {
        parts.add(value.part(i));
      }
    }
    return Glob.between(parts.toArray(new String[0]));
  }

  static String write(String domain, List<Level> levels) {
    String open = write(domain, levels, /* openEnd= */ true);
    return !hasOpenEnd(levels) || levels.equals(new ScopeText(open).levels())
        ? open
        : write(domain, levels, /* openEnd= */ false);
  }

  private static boolean hasOpenEnd(List<Level> levels) {
    Glob last = levels.isEmpty() ? null : levels.get(levels.size() - 1).value();
    return last != null && last.toString().indexOf(SLASH) >= 0;
  }

  /**
   * @param openEnd whether the slashes of the last value are written as they are
   */
  private static String write(String domain, List<Level> levels, boolean openEnd) {
    StringBuilder out = new StringBuilder();
    append(out, domain, /* escaped= */ "/");
    for (int i = 0; i < levels.size(); i++) {
      Glob value = levels.get(i).value();
      boolean last = i == levels.size() - 1;
      sign(out, SLASH);
      append(out, levels.get(i).key(), /* escaped= */ "/=*");
      if (value != null) {
        if (!last && value.isExact() && value.exact().isEmpty()) {
          throw Scope.bad(out + "=", "an empty value only at the last level");
        }
        sign(out, EQUALS);
        append(out, value, last && openEnd ? "*" : "/*");
      }
    }
    return out.toString();
  }

  private static void append(StringBuilder out, Glob value, String escaped) {
    append(out, value.part(0), escaped);
    for (int i = 1; i < value.parts(); i++) {
      sign(out, STAR);
      append(out, value.part(i), escaped);
    }
  }

  private static void append(StringBuilder out, String part, String escaped) {
    for (int at = 0; at < part.length(); at++) {
      char c = part.charAt(at);
      if (escaped.indexOf(c) >= 0) {
        doubleEscapes(out);
        out.append(ESCAPE).append(c);
      } else if (isSign(c)) {
        sign(out, c);
      } else {
        out.append(c);
      }
    }
  }

  private static void sign(StringBuilder out, char c) {
    doubleEscapes(out);
    out.append(c);
  }

  private static void doubleEscapes(StringBuilder out) {
    for (int at = out.length() - 1; at >= 0 && out.charAt(at) == ESCAPE; at--) {
      out.append(ESCAPE);
    }
  }
}
