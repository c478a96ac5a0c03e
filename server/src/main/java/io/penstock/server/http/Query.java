package io.penstock.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for behind the question mark. Immutable.
 *
 * @param parameters in the order of the request
 */
record Query(List<Parameter> parameters) {
  static final Query NONE = new Query(List.of());

  /** One of them, decoded. */
  record Parameter(String name, String value) {}

  /** Reads a query as it was sent, and refuses what is not one of the known names. */
  static Query parse(@Nullable String text, Set<String> known) {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    List<Parameter> parameters = new ArrayList<>(2);
    for (String part : text.split("&", -1)) {
      if (!part.isEmpty()) {
        parameters.add(parameter(part, known));
      }
    }
    return new Query(parameters);
  }

  private static Parameter parameter(String part, Set<String> known) {
    int equals = part.indexOf('=');
    String name = decoded("query", equals < 0 ? part : part.substring(0, equals));
    if (!known.contains(name)) {
      String names = String.join(", ", new TreeSet<>(known));
      String expected = known.isEmpty() ? "no query" : "only " + names;
      throw Refusal.field(name, part.substring(equals + 1), expected);
    }
    if (equals < 0) {
      throw Refusal.field(name, "nothing", name + "=…");
    }
    return new Parameter(name, decoded(name, part.substring(equals + 1)));
  }

  private static String decoded(String name, String text) {
    return Percent.decode(name, text.replace('+', ' '));
  }

  /** The values of a parameter that may be given many times. */
  List<String> all(String name) {
    return parameters.stream()
        .filter(each -> each.name.equals(name))
        .map(Parameter::value)
        .toList();
  }

  /** The text of a parameter; null if it is not given. */
  @Nullable String text(String name) {
    List<String> all = all(name);
    if (all.size() > 1) {
      throw Refusal.field(name, all.get(1) + ", given twice", "once");
    }
    return all.isEmpty() ? null : all.get(0);
  }

  /** Whether a parameter says {@code true}; not given means no. */
  boolean flag(String name) {
    String text = text(name);
    if (text != null && !text.equals("true") && !text.equals("false")) {
      throw Refusal.field(name, text, "true, false");
    }
    return "true".equals(text);
  }

  int integer(String name, int otherwise, int max) {
    return (int) number(name, otherwise, max);
  }

  long number(String name, long otherwise, long max) {
    String text = text(name);
    if (text == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, as a number out of range is.
    }
    throw Refusal.field(name, text, "1.." + max);
  }
}
