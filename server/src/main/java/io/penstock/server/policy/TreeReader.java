package io.penstock.server.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/** Reads a JSON or YAML text into a tree, with bounds. Confined to the thread that reads. */
final class TreeReader {
  /** A policy takes a few hundred characters. */
  static final int JSON_CHARS_MAX = 64 << 10;

  static final int YAML_CHARS_MAX = 64 << 20;

  private static final int DEPTH_MAX = 16;
  private static final int TEXT_CHARS_MAX = 16 << 10;
  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder()
          .maxNestingDepth(DEPTH_MAX)
          .maxStringLength(TEXT_CHARS_MAX)
          .maxNameLength(TEXT_CHARS_MAX)
          .build();
  private static final JsonFactory JSON =
      JsonFactory.builder().streamReadConstraints(BOUNDS).build();
  private static final YAMLFactory YAML =
      YAMLFactory.builder().streamReadConstraints(BOUNDS).loaderOptions(yamlBounds()).build();

  private final JsonParser parser;
  private final boolean placed;

  private TreeReader(JsonParser parser, boolean placed) {
    this.parser = parser;
    this.placed = placed;
  }

  /** Reads one JSON value; its places are names of fields. */
  static Tree json(String text) {
    if (text.length() > JSON_CHARS_MAX) {
      throw tooLong(text, JSON_CHARS_MAX);
    }
    Tree tree = read(JSON, text, /* placed= */ false);
    if (tree == null) {
      throw new InvalidPolicyException(
          List.of(new Problem("document", "nothing", "a JSON object")));
    }
    return tree;
  }

  /** Reads one YAML document; its places have line and column. Null if it says nothing. */
  static @Nullable Tree yaml(String text) {
    if (text.length() > YAML_CHARS_MAX) {
      throw tooLong(text, YAML_CHARS_MAX);
    }
    return read(YAML, text, /* placed= */ true);
  }

  private static InvalidPolicyException tooLong(String text, int most) {
    String expected = "at most " + most + " characters";
    return new InvalidPolicyException(
        List.of(new Problem("document", text.length() + " characters", expected)));
  }

  private static LoaderOptions yamlBounds() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(YAML_CHARS_MAX);
    options.setNestingDepthLimit(DEPTH_MAX);
    return options;
  }

  private static @Nullable Tree read(JsonFactory factory, String text, boolean placed) {
    try (JsonParser parser = factory.createParser(text)) {
      TreeReader reader = new TreeReader(parser, placed);
      JsonToken first = parser.nextToken();
      Tree tree = first == null ? null : reader.value(first, /* path= */ "");
      if (parser.nextToken() != null) {
        throw new InvalidPolicyException(
            List.of(
                new Problem(
                    Misread.place(parser.currentTokenLocation()),
                    String.valueOf(parser.getText()),
                    "one document, and nothing after it")));
      }
      return tree;
    } catch (JsonProcessingException e) {
      String place = Misread.place(e.getLocation());
      throw new InvalidPolicyException(
          List.of(placed ? Misread.yaml(text, e) : Misread.json(place, text, e, BOUNDS)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Tree value(JsonToken token, String path) throws IOException {
    String where = where(path);
    return switch (token) {
      case START_OBJECT -> fields(path, where);
      case START_ARRAY -> items(path, where);
      case VALUE_STRING -> text(where);
      case VALUE_TRUE, VALUE_FALSE ->
          new Tree.Scalar(where, Tree.Type.BOOLEAN, String.valueOf(token == JsonToken.VALUE_TRUE));
      case VALUE_NULL -> new Tree.Scalar(where, Tree.Type.NULL, "null");
      default -> new Tree.Scalar(where, Tree.Type.NUMBER, parser.getText());
    };
  }

  private Tree text(String where) throws IOException {
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      throw new InvalidPolicyException(
          List.of(
              new Problem(
                  where,
                  "*" + parser.getText(),
                  "a value; what many policies share is said once by a tier")));
    }
    return new Tree.Scalar(where, Tree.Type.TEXT, parser.getText());
  }

  private Tree fields(String path, String where) throws IOException {
    List<Tree.Field> fields = new ArrayList<>();
    for (JsonToken token = next(); token != JsonToken.END_OBJECT; token = next()) {
      String name = parser.currentName();
      String inner = path.isEmpty() ? name : path + "." + name;
      fields.add(new Tree.Field(name, value(next(), inner)));
    }
    return new Tree.Fields(where, fields);
  }

  private Tree items(String path, String where) throws IOException {
    List<Tree> items = new ArrayList<>();
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      items.add(value(token, path + "[" + items.size() + "]"));
    }
    return new Tree.Items(where, items);
  }

  private JsonToken next() throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw new IOException("The parser let a text pass that ends too early");
    }
    return token;
  }

  private String where(String path) {
    String name = path.isEmpty() ? "document" : path;
    return placed ? name + " (" + Misread.place(parser.currentTokenLocation()) + ")" : name;
  }
}
