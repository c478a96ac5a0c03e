package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One JSON document, read to the letter: whatever is not expected is refused by the name of its
 * field. Confined to one thread.
 */
final class JsonInput implements AutoCloseable {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(8).maxNumberLength(64).build())
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private static final String LONG_RANGE = Long.MIN_VALUE + ".." + Long.MAX_VALUE;

  private final JsonParser parser;

  private JsonInput(JsonParser parser) {
    this.parser = parser;
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
      return new JsonInput(FACTORY.createParser(body));
    } catch (IOException e) {
      throw broken(e);
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

  /** Whether another element follows, a text; else the list has ended. */
  boolean nextText() {
    return nextElement(JsonToken.VALUE_STRING, "a text");
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
    } catch (IOException e) {
      throw broken(e);
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
    StringBuilder path = new StringBuilder();
    append(path, parser.getParsingContext());
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

  private static Refusal broken(IOException e) {
    if (e instanceof JsonProcessingException bad && bad.getLocation() != null) {
      String where =
          "line " + bad.getLocation().getLineNr() + ", column " + bad.getLocation().getColumnNr();
      return Refusal.field("body", where, "one JSON document: " + bad.getOriginalMessage());
    }
    return Refusal.field("body", String.valueOf(e.getMessage()), "one JSON document");
  }
}
