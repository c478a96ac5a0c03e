package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;

/** What a server has answered. Immutable. */
record Reply(int status, String body, JsonNode json) {
  /** Exit statuses of commands that ask a server, beside those of every command. */
  static final int DONE = 0;

  static final int NO = 3;

  boolean isDone() {
    return status / 100 == 2;
  }

  /** Whether the server understood and said no: not found, a conflict, an invalid policy. */
  boolean isNo() {
    return status == 400 || status == 404 || status == 409 || status == 412 || status == 428;
  }

  /** Says why it was not done; the exit status. */
  int refused(PrintWriter err) throws IOException {
    StringBuilder text = new StringBuilder();
    for (JsonNode each : json.path("errors")) {
      text.append(
          "%n  %s: %s (expected: %s)"
              .formatted(
                  each.path("field").asText(),
                  each.path("value").asText(),
                  each.path("expected").asText()));
    }
    String detail = json.path("detail").asText(json.path("title").asText(body.strip()));
    String message = status + " " + detail + text;
    if (!isNo()) {
      throw new IOException(message);
    }
    err.println("penstock: " + message);
    return NO;
  }
}
