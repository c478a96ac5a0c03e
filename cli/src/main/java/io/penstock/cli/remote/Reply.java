package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;

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

  /** That what was asked for is not there. */
  static Reply notFound(String detail) {
    JsonNode problem = Connection.JSON.createObjectNode().put("status", 404).put("detail", detail);
    return new Reply(404, problem.toString(), problem);
  }

  /** Why it was not done, for people. */
  String reason() {
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
    return status + " " + detail + text;
  }

  /** Why it was not done, for programs; what is no JSON, such as a proxy's page, becomes some. */
  JsonNode problem() {
    return json.isObject()
        ? json
        : Connection.JSON.createObjectNode().put("status", status).put("detail", body.strip());
  }
}
