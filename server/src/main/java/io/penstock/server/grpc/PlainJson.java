package io.penstock.server.grpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.server.policy.Misread;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Refuses JSON that protobuf's own parser takes too kindly. Stateless.
 *
 * <p>That parser lets a second value of a field win, ignores what follows the document, reads
 * comments and unquoted names, reads a list of one as that one, and writes out a number as {@code
 * 1e999999999} in full.
 */
final class PlainJson {
  private static final int MOST_NESTING = 32;
  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder().maxNestingDepth(MOST_NESTING).build();
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(BOUNDS)
          .build();

  /** The fields that are free text; in all others a text stands for a number or a name. */
  private static final Set<String> TEXTS = Set.of("domain", "key", "value");

  /** The fields of a request and of all that is in it, in both spellings. */
  private static final Set<String> NAMES = names(RateLimitRequest.getDescriptor(), new TreeSet<>());

  private static final Set<String> LISTS = Set.of("descriptors", "entries");
  private static final Pattern NUMBER_OR_NAME = Pattern.compile("-?\\d{1,20}|[A-Za-z_]{1,20}");

  private PlainJson() {}

  private static Set<String> names(Descriptor message, Set<String> names) {
    for (FieldDescriptor field : message.getFields()) {
      names.add(field.getName());
      names.add(field.getJsonName());
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        names(field.getMessageType(), names);
      }
    }
    return names;
  }

  /** Throws {@link IllegalArgumentException} unless this is one plain document. */
  static void check(String body) {
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw DescriptorReader.bad("body", "no object", "a JSON object");
      }
      boolean ended = false;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (ended) {
          throw DescriptorReader.bad("body", "more than one document", "one");
        }
        check(token, parser);
        ended = parser.getParsingContext().inRoot();
      }
    } catch (JsonProcessingException e) {
      Problem bad = Misread.json("body", body, e, BOUNDS);
      throw DescriptorReader.bad(bad.field(), bad.value(), bad.expected() + "; no field twice");
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void check(JsonToken token, JsonParser parser) throws IOException {
    String field = parser.currentName() == null ? "[]" : parser.currentName();
    if (token == JsonToken.FIELD_NAME && !NAMES.contains(field)) {
      throw DescriptorReader.bad(field, "unknown field", "one of " + String.join(", ", NAMES));
    }
    if (token == JsonToken.START_ARRAY && !LISTS.contains(field)) {
      throw DescriptorReader.bad(field, "a list", "one value");
    }
    if (token == JsonToken.VALUE_NUMBER_FLOAT) {
      throw DescriptorReader.bad(field, "a fraction", "a whole number in plain digits");
    }
    if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
      String text = parser.getText();
      if (TEXTS.contains(field) && token == JsonToken.VALUE_STRING) {
        requireUnicode(field, text);
      } else if (!NUMBER_OR_NAME.matcher(text).matches()) {
        throw DescriptorReader.bad(field, "a text", "a number or a name");
      }
    }
  }

  /** A lone surrogate has no bytes of its own: two of them would be the same key. */
  private static void requireUnicode(String field, String text) {
    boolean isLone =
        text.codePoints()
            .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    if (isLone) {
      throw DescriptorReader.bad(field, "half a character", "Unicode");
    }
  }
}
