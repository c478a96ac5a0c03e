package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.penstock.server.policy.Problem;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/** A refusal as problem+json (RFC 9457). Stateless. */
final class ProblemJson {
  private ProblemJson() {}

  static Buffer of(Refusal refusal) {
    return JsonOutput.of(json -> write(json, refusal));
  }

  private static void write(JsonGenerator json, Refusal refusal) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "about:blank");
    json.writeStringField("title", HttpResponseStatus.valueOf(refusal.status()).reasonPhrase());
    json.writeNumberField("status", refusal.status());
    json.writeStringField("detail", refusal.detail());
    if (refusal.problem() != null) {
      json.writeStringField("field", refusal.problem().field());
    }
    if (!refusal.problems().isEmpty()) {
      json.writeArrayFieldStart("errors");
      for (Problem problem : refusal.problems()) {
        json.writeStartObject();
        json.writeStringField("field", problem.field());
        json.writeStringField("value", problem.value());
        json.writeStringField("expected", problem.expected());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}
