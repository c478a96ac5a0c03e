package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.policy.Kind;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The policies or the tiers of a server, in the order of their names, page by page. */
final class Pages {
  private static final int PAGE = 500;

  private Pages() {}

  /** Reads them; the answer with which the server refused, or null if it did not. */
  static @Nullable Reply read(
      Connection connection, Kind kind, String after, int max, Consumer<JsonNode> reader)
      throws IOException {
    String last = after;
    for (int left = max; left > 0; left -= PAGE) {
      int page = Math.min(PAGE, left);
      String query =
          "?limit=" + page + (last.isEmpty() ? "" : "&after=" + Connection.segment(last));
      Reply reply = connection.send("GET", "/v1/" + plural(kind) + query, /* body= */ null);
      if (!reply.isDone()) {
        return reply;
      }
      JsonNode documents = reply.json().path(plural(kind));
      for (JsonNode each : documents) {
        last = name(kind, each);
        reader.accept(each);
      }
      if (documents.size() < page) {
        return null;
      }
    }
    return null;
  }

  static String plural(Kind kind) {
    return kind == Kind.TIER ? "tiers" : "policies";
  }

  static String name(Kind kind, JsonNode document) {
    return document.path(kind == Kind.TIER ? "name" : "scope").asText();
  }
}
