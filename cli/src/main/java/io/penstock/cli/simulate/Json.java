package io.penstock.cli.simulate;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values written as JSON: maps, lists, arrays of numbers, texts, numbers and truths. */
final class Json {
  private final StringBuilder text = new StringBuilder();

  private Json() {}

  static String of(@Nullable Object value) {
    Json json = new Json();
    json.write(value);
    return json.text.toString();
  }

  private void write(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        text.append(separator);
        quote(String.valueOf(entry.getKey()));
        text.append(':');
        write(entry.getValue());
        separator = ",";
      }
      text.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        text.append(separator);
        write(element);
        separator = ",";
      }
      text.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof CharSequence characters) {
      quote(characters);
    } else if (value instanceof Double number) {
      text.append(number.isNaN() || number.isInfinite() ? "null" : decimal(number));
    } else {
      text.append(value);
    }
  }

  private static String decimal(double number) {
    String shortest = String.format(Locale.ROOT, "%.9f", number).replaceFirst("0+$", "");
    return shortest.endsWith(".") ? shortest.substring(0, shortest.length() - 1) : shortest;
  }

  /** Angle brackets are escaped too, so that no text can end the script that holds it. */
  private void quote(CharSequence characters) {
    text.append('"');
    for (int i = 0; i < characters.length(); i++) {
      char character = characters.charAt(i);
      switch (character) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        default -> {
          boolean plain = character >= ' ' && character != '<' && character != '>';
          text.append(plain ? character : String.format(Locale.ROOT, "\\u%04x", (int) character));
        }
      }
    }
    text.append('"');
  }
}
