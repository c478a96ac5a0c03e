package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.policy.Kind;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The policies or the tiers of a server, in the order of their names, page by page. */
final class Pages {
  private static final int PAGE = 500;

  /**
   * How reading has ended. Immutable.
   *
   * @param refused the answer with which the server refused, or null if it did not
   * @param next after which name there is more; empty if there is not
   */
  record End(@Nullable Reply refused, String next) {}

  private Pages() {}

  /**
   * Reads so many. A page has only what the caller may see, maybe nothing: the server says where
   * the next one begins.
   */
  static End read(
      Connection connection, Kind kind, String after, int max, Consumer<JsonNode> reader)
      throws IOException {
    String last = after;
    int left = max;
    while (left > 0) {
      String query =
          "?limit=" + PAGE + (last.isEmpty() ? "" : "&after=" + Connection.segment(last));
      Reply reply = connection.send("GET", "/v1/" + plural(kind) + query, /* body= */ null);
      if (!reply.isDone()) {
        return new End(reply, last);
      }
      for (JsonNode each : reply.json().path(plural(kind))) {
        if (left == 0) {
          return new End(/* refused= */ null, last);
        }
        reader.accept(each);
        left--;
        last = name(kind, each);
      }
      last = reply.json().path("next").asText("");
      if (last.isEmpty()) {
        break;
      }
    }
    return new End(/* refused= */ null, last);
  }

  static String plural(Kind kind) {
    return kind == Kind.TIER ? "tiers" : "policies";
  }

  static String name(Kind kind, JsonNode document) {
    return document.path(kind == Kind.TIER ? "name" : "scope").asText();
  }
}
