package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.server.policy.DryRun;
import java.io.IOException;

/** What a proposed policy would have done, as JSON. Stateless. */
final class DryRunJson {
  private DryRunJson() {}

  static void write(JsonGenerator json, DryRun.Forecast outcome) throws IOException {
    json.writeStartObject();
    json.writeNumberField("checks", outcome.checks());
    json.writeNumberField("denied", outcome.denied());
    json.writeNumberField("spanMs", outcome.spanMillis());
    json.writeArrayFieldStart("topKeys");
    for (DryRun.KeyForecast key : outcome.topKeys()) {
      json.writeStartObject();
      json.writeStringField("key", Utf8.told(key.key()));
      json.writeNumberField("checks", key.checks());
      json.writeNumberField("denied", key.denied());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("notRemembered", outcome.notRemembered());
    json.writeEndObject();
  }
}
