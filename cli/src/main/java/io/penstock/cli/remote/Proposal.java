package io.penstock.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A document that is to take the place of another. Immutable.
 *
 * @param version the one it is to replace; null if it does not say
 */
record Proposal(String document, @Nullable Long version) {
  /** Reads a document, by itself or as the server answers it: with its scope and version. */
  static Proposal read(String scope, String text) throws IOException {
    JsonNode tree = tree(text);
    if (!tree.path("policy").isObject() || !tree.path("version").canConvertToExactIntegral()) {
      return new Proposal(text, /* version= */ null);
    }
    String name = tree.path("scope").asText(scope);
    if (!name.equals(scope)) {
      throw new IOException("scope: " + name + " (expected: " + scope + ", as in the command)");
    }
    return new Proposal(tree.path("policy").toString(), tree.path("version").asLong());
  }

  /* What is no JSON is told by the server, with all else that is wrong. */
  private static JsonNode tree(String text) {
    try {
      return Connection.JSON.readTree(text);
    } catch (JsonProcessingException notJson) {
      return Connection.JSON.missingNode();
    }
  }
}
