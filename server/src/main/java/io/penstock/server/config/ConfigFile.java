package io.penstock.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.penstock.server.policy.Misread;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of one YAML file: {@code key: value}, or a list of values. Immutable. */
record ConfigFile(Map<Setting, String> values, List<Problem> problems) {

  static ConfigFile parse(String text) throws IOException {
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    List<Problem> problems = new ArrayList<>();
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          readEntry(parser, values, problems);
        }
        first = parser.nextToken();
      }
      if (first != null && first != JsonToken.VALUE_NULL) {
        problems.add(new Problem(place(parser), parser.getText(), "lines of `key: value` only"));
      }
    } catch (JsonProcessingException broken) {
      Problem bad = Misread.yaml(text, broken);
      problems.add(new Problem("config " + bad.field(), bad.value(), bad.expected()));
    }
    return new ConfigFile(values, problems);
  }

  private static void readEntry(
      YAMLParser parser, Map<Setting, String> values, List<Problem> problems) throws IOException {
    String key = parser.currentName();
    String place = place(parser);
    parser.nextToken();
    Setting setting = Setting.byKey(key);
    String value = readValue(parser);
    if (setting == null) {
      problems.add(new Problem(place, key, "one of " + keys()));
    } else if (value == null) {
      problems.add(new Problem(place, key, "one value, or a list of values: " + setting.hint()));
    } else if (values.put(setting, value) != null) {
      problems.add(new Problem(place, key, "each key once"));
    }
  }

  /** A scalar as it is written, or a list of them joined by commas; null for all else. */
  private static @Nullable String readValue(YAMLParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_ARRAY) {
      List<String> texts = new ArrayList<>();
      boolean plain = true;
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        plain &= parser.currentToken().isScalarValue();
        texts.add(parser.getText());
        parser.skipChildren();
      }
      return plain ? String.join(",", texts) : null;
    }
    parser.skipChildren();
    return token.isScalarValue() && token != JsonToken.VALUE_NULL ? parser.getText() : null;
  }

  private static String keys() {
    return Arrays.stream(Setting.values()).map(Setting::key).collect(Collectors.joining(", "));
  }

  private static String place(YAMLParser parser) {
    return "config line " + parser.currentTokenLocation().getLineNr();
  }
}
