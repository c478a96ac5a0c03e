package io.penstock.server.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Writes a tree as JSON. */
final class TreeText {
  private static final JsonFactory JSON = new JsonFactory();

  private TreeText() {}

  /** The shortest JSON of a tree. */
  static String json(Tree tree) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      write(tree, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(Tree tree, JsonGenerator out) throws IOException {
    if (tree instanceof Tree.Fields object) {
      out.writeStartObject();
      for (Tree.Field field : object.fields()) {
        out.writeFieldName(field.name());
        write(field.value(), out);
      }
      out.writeEndObject();
    } else if (tree instanceof Tree.Items list) {
      out.writeStartArray();
      for (Tree item : list.items()) {
        write(item, out);
      }
      out.writeEndArray();
    } else if (tree instanceof Tree.Scalar scalar && scalar.type() == Tree.Type.BOOLEAN) {
      out.writeBoolean(Boolean.parseBoolean(scalar.text()));
    } else if (tree instanceof Tree.Scalar scalar && scalar.type() == Tree.Type.NUMBER) {
      out.writeNumber(scalar.text());
    } else if (tree instanceof Tree.Scalar scalar) {
      /* No document has nulls: they are refused wherever they stand. */
      out.writeString(scalar.text());
    }
  }
}
