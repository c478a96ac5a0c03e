package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The changes of a policy or a tier on a server, newest first, page by page. */
final class Changes {
  private Changes() {}

  /**
   * Reads them, all or until somebody wants no more.
   *
   * @param more takes a change, and says whether to go on
   * @return the answer with which the server refused; null if it did not
   */
  static @Nullable Reply read(Connection connection, String scope, Predicate<JsonNode> more)
      throws IOException {
    String path = PolicyCommand.path(scope) + "/history";
    JsonNode next;
    String query = "";
    do {
      Reply reply = connection.send("GET", path + query, /* body= */ null);
      if (!reply.isDone()) {
        return reply;
      }
      for (JsonNode change : reply.json().path("history")) {
        if (!more.test(change)) {
          return null;
        }
      }
      next = reply.json().path("next");
      query = "?before=" + next.asText();
    } while (!next.isMissingNode());
    return null;
  }
}
