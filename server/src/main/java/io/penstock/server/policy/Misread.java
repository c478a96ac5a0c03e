package io.penstock.server.policy;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * A text that its parser could not read, in words of ours: the parser's own name its switches, and
 * change with its version. Stateless.
 */
public final class Misread {
  private static final int WORD_CHARS_MAX = 64;
  private static final String END = "the end";
  private static final String YAML =
      "YAML; a bracket, quote, colon or indentation up to here is wrong";

  private Misread() {}

  /** Where it is, for people: {@code line 2, column 7}. */
  static String place(@Nullable JsonLocation location) {
    return location == null
        ? "document"
        : "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  /**
   * What stands where a text ends to be JSON.
   *
   * @param field the field that was being read
   * @param text what was read, one character per unit of the location
   */
  public static Problem json(
      String field, String text, JsonProcessingException error, StreamReadConstraints bounds) {
    JsonLocation location = error.getLocation();
    if (error instanceof StreamConstraintsException) {
      return new Problem(field, "nested too deep, or too long", expected(bounds));
    }
    return new Problem(
        field, word(text, offset(location)), "JSON as of RFC 8259, at " + place(location));
  }

  /** The line where a text ends to be YAML. */
  public static Problem yaml(String text, JsonProcessingException error) {
    if (error.getCause() instanceof MarkedYAMLException marked) {
      return yaml(text, marked);
    }
    JsonLocation location = error.getLocation();
    return location == null
        ? new Problem("document", "nested too deep, or too long", "less deep or shorter YAML")
        : new Problem(place(location), line(text, location.getLineNr()).strip(), YAML);
  }

  /** Where a text ends to be YAML, for people. */
  public static String yamlPlace(JsonProcessingException error) {
    return yaml(/* text= */ "", error).field();
  }

  /** The line where a text ends to be YAML. */
  public static Problem yaml(String text, MarkedYAMLException error) {
    Mark mark = error.getProblemMark();
    String line = line(text, mark.getLine() + 1);
    boolean isTab = mark.getColumn() < line.length() && line.charAt(mark.getColumn()) == '\t';
    return new Problem(place(mark), line.strip(), isTab ? "YAML, indented by spaces" : YAML);
  }

  private static String place(Mark mark) {
    return "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
  }

  /** A line by its number, which begins with 1. */
  private static String line(String text, int number) {
    return number < 1 ? END : text.lines().skip(number - 1).findFirst().orElse(END);
  }

  private static String expected(StreamReadConstraints bounds) {
    return "at most %d levels, numbers of %d digits, names of %d and texts of %d characters"
        .formatted(
            bounds.getMaxNestingDepth(),
            bounds.getMaxNumberLength(),
            bounds.getMaxNameLength(),
            bounds.getMaxStringLength());
  }

  private static int offset(@Nullable JsonLocation location) {
    if (location == null) {
      return 0;
    }
    long chars = location.getCharOffset();
    return (int) Math.max(0, chars >= 0 ? chars : location.getByteOffset());
  }

  /** The word at an offset, or that ends there; else the character. */
  static String word(String text, int offset) {
    int end = Math.min(offset, text.length());
    int from = end;
    while (from > 0 && end - from < WORD_CHARS_MAX && isOfWord(text.charAt(from - 1))) {
      from--;
    }
    while (end < text.length() && end - from < WORD_CHARS_MAX && isOfWord(text.charAt(end))) {
      end++;
    }
    if (from < end) {
      return text.substring(from, end);
    }
    return from < text.length() ? shown(text.codePointAt(from)) : END;
  }

  private static boolean isOfWord(char c) {
    return c == '-'
        || c == '+'
        || c == '.'
        || c == '_'
        || (c < 0x80 && Character.isLetterOrDigit(c));
  }

  private static String shown(int c) {
    return c > ' ' && c < 0x7f ? Character.toString(c) : "U+%04X".formatted(c);
  }
}
