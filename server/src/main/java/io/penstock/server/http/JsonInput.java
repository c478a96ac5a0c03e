package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.penstock.server.policy.Misread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One JSON document, read to the letter: whatever is not expected is refused by the name of its
 * field. Confined to one thread.
 */
final class JsonInput implements AutoCloseable {
  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder().maxNestingDepth(8).maxNumberLength(64).build();
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(BOUNDS)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private static final String LONG_RANGE = Long.MIN_VALUE + ".." + Long.MAX_VALUE;

  private final JsonParser parser;
  private final byte[] body;
  private boolean broken;

  private JsonInput(JsonParser parser, byte[] body) {
    this.parser = parser;
    this.body = body;
  }

  static JsonInput of(byte[] body) {
    if (body.length == 0) {
      throw Refusal.field("body", "nothing", "a JSON object");
    }
    if (!Utf8.isAscii(body) && Utf8.decode(body) == null) {
      throw Refusal.field("body", "bytes that are not UTF-8", "JSON in UTF-8");
    }
    // The parser would take a byte order mark, or zeros, for another encoding.
    if (body[0] <= 0 || (body.length > 1 && body[1] == 0)) {
      throw Refusal.field("body", "another encoding or a byte order mark", "JSON in UTF-8");
    }
    try {
      return new JsonInput(FACTORY.createParser(body), body);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  void beginObject() {
    expect(next(), JsonToken.START_OBJECT, "an object");
  }

  void beginArray() {
    expect(next(), JsonToken.START_ARRAY, "a list");
  }

  /** Whether another element follows, an object; else the list has ended. */
  boolean nextObject() {
    return nextElement(JsonToken.START_OBJECT, "an object");
  }

  /** Whether another element follows, a list; else the list has ended. */
  boolean nextArray() {
    return nextElement(JsonToken.START_ARRAY, "a list");
  }

  /** Whether another element follows, whatever it is; else the list has ended. */
  boolean nextElement() {
    return next() != JsonToken.END_ARRAY;
  }

  /** The element that has been read, a text. */
  String element() {
    expect(parser.currentToken(), JsonToken.VALUE_STRING, "a text");
    return current();
  }

  /** How many objects and lists are open. */
  int depth() {
    return parser.getParsingContext().getNestingDepth();
  }

  /** Leaves a value that is not what it should be, and all that is in it, up to this depth. */
  void skipTo(int depth) {
    if (depth() == depth && parser.currentToken() == JsonToken.FIELD_NAME) {
      next();
    }
    while (depth() > depth) {
      next();
    }
  }

  /** Whether this is no JSON, so that nothing more can be read. */
  boolean isBroken() {
    return broken;
  }

  /** The name of the next field; null if the object has ended. */
  @Nullable String nextField() {
    try {
      return parser.nextFieldName();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** The value of a field, a text of so many bytes. */
  String text(int bytesMin, int bytesMax) {
    expect(next(), JsonToken.VALUE_STRING, "a text");
    String text = current();
    int bytes = Utf8.length(text);
    if (bytes < 0) {
      throw refusal("half of a character", "whole characters");
    }
    if (bytes < bytesMin || bytes > bytesMax) {
      throw refusal(bytes + " bytes", bytesMin + ".." + bytesMax + " bytes");
    }
    return text;
  }

  /** The value of a field, an integer. */
  long integer() {
    expect(next(), JsonToken.VALUE_NUMBER_INT, "an integer");
    return currentInteger();
  }

  /** Whether the value of a field is an integer; it has been read then, whatever it is. */
  boolean nextIsInteger() {
    return next() == JsonToken.VALUE_NUMBER_INT;
  }

  /** The integer that has been read. */
  long currentInteger() {
    try {
      return parser.getLongValue();
    } catch (IOException e) {
      throw refusal(current(), LONG_RANGE);
    }
  }

  /** The text of what has been read, whatever it is. */
  String current() {
    try {
      return String.valueOf(parser.getText());
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Nothing may follow the document. */
  void end() {
    if (next() != null) {
      throw Refusal.field("body", current() + " after the document", "one JSON document");
    }
  }

  /** What has just been read is not what it should be. */
  Refusal refusal(String value, String expected) {
    return Refusal.field(path(), value, expected);
  }

  /** The object that has just ended lacks a field. */
  Refusal missing(String field, String expected) {
    String path = path();
    return Refusal.field(path.equals("body") ? field : path + "." + field, "missing", expected);
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private boolean nextElement(JsonToken wanted, String expected) {
    JsonToken token = next();
    if (token == JsonToken.END_ARRAY) {
      return false;
    }
    expect(token, wanted, expected);
    return true;
  }

  private @Nullable JsonToken next() {
    try {
      return parser.nextToken();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private void expect(@Nullable JsonToken token, JsonToken wanted, String expected) {
    if (token != wanted) {
      throw refusal(token == null ? "nothing" : current(), expected);
    }
  }

  private String path() {
    return path(parser.getParsingContext());
  }

  private static String path(JsonStreamContext context) {
    StringBuilder path = new StringBuilder();
    append(path, context);
    return path.length() == 0 ? "body" : path.toString();
  }

  private static void append(StringBuilder path, JsonStreamContext context) {
    if (context.getParent() != null) {
      append(path, context.getParent());
    }
    if (context.inArray() && context.hasCurrentIndex()) {
      path.append('[').append(context.getCurrentIndex()).append(']');
    } else if (context.inObject() && context.hasCurrentName()) {
      path.append(path.length() == 0 ? "" : ".").append(context.getCurrentName());
    }
  }

  private Refusal broken(IOException e) {
    broken = true;
    if (!(e instanceof JsonProcessingException bad)) {
      throw new UncheckedIOException(e);
    }
    String bytes = new String(body, StandardCharsets.ISO_8859_1);
    return Refusal.field(Misread.json(brokenPath(), bytes, bad, BOUNDS));
  }

  /** In an object, what is broken belongs to the field before it only if that lacks its value. */
  private String brokenPath() {
    JsonStreamContext context = parser.getParsingContext();
    boolean between = context.inObject() && parser.currentToken() != JsonToken.FIELD_NAME;
    return path(between ? context.getParent() : context);
  }
}
