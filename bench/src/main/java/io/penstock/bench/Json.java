package io.penstock.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON that JMH writes, into maps, lists, strings and doubles. Confined to one thread.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static @Nullable Object read(String text) {
    return new Json(text).value();
  }

  /** A member of an object, or null. */
  static @Nullable Object in(@Nullable Object object, String name) {
    return object instanceof Map<?, ?> map ? map.get(name) : null;
  }

  /** The elements of an array; nothing if it is not one. */
  static List<?> list(@Nullable Object array) {
    return array instanceof List<?> list ? list : List.of();
  }

  private @Nullable Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    expect('{');
    while (peek() != '}') {
      String name = string();
      expect(':');
      object.put(name, value());
      skipComma();
    }
    expect('}');
    return object;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> array = new ArrayList<>();
    expect('[');
    while (peek() != ']') {
      array.add(value());
      skipComma();
    }
    expect(']');
    return array;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (text.charAt(at) != '"') {
      if (text.charAt(at) == '\\') {
        at++;
      }
      string.append(text.charAt(at++));
    }
    at++;
    return string.toString();
  }

  /** A number as a double; true, false and null as null, since nothing here asks for them. */
  private @Nullable Double word() {
    int start = at;
    while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    try {
      return Double.valueOf(word);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private char peek() {
    while (Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.charAt(at);
  }

  private void expect(char character) {
    if (peek() != character) {
      throw new IllegalArgumentException(
          "JSON at %d: %s (expected: %s)".formatted(at, text.charAt(at), character));
    }
    at++;
  }

  private void skipComma() {
    if (peek() == ',') {
      at++;
    }
  }
}
