package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer as JSON. Stateless.
 *
 * <p>Where nothing is counted (no policy, unlimited, disabled) there is no number to tell, and
 * {@code limit} and {@code remaining} are null: a 0 would read as "nothing left".
 */
final class AnswerJson {
  private static final long MILLI_NANOS = 1_000_000;

  private AnswerJson() {}

  static void write(JsonGenerator json, Answer answer) throws IOException {
    json.writeStartObject();
    fields(json, answer);
    json.writeEndObject();
  }

  /** The fields of an answer, in an object that has been begun. */
  static void fields(JsonGenerator json, Answer answer) throws IOException {
    Part part = answer.part();
    Meter meter = part.meter();
    json.writeBooleanField("allowed", answer.allowed());
    counts(json, meter);
    json.writeNumberField("retryAfterMs", millisOrNever(answer.retryAfterNanos()));
    json.writeNumberField("resetAfterMs", ceilMillis(answer.resetAfterNanos()));
    policy(json, part);
    json.writeStringField("reason", part.why().text());
    json.writeStringField("durability", answer.durability().text());
    json.writeStringField("decidedBy", answer.decidedBy());
    json.writeNumberField("waitMs", ceilMillis(answer.waitNanos()));
    if (answer.duplicate()) {
      json.writeBooleanField("duplicate", true);
    }
    json.writeArrayFieldStart("results");
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); i++) {
      result(json, parts.get(i));
    }
    json.writeEndArray();
  }

  private static void result(JsonGenerator json, Part part) throws IOException {
    Meter meter = part.meter();
    json.writeStartObject();
    json.writeBooleanField("allowed", part.allowed());
    policy(json, part);
    counts(json, meter);
    long wait = part.allowed() || meter == null ? 0 : meter.retryAfterNanos();
    json.writeNumberField("retryAfterMs", millisOrNever(wait));
    json.writeStringField("reason", part.why().text());
    json.writeEndObject();
  }

  private static void counts(JsonGenerator json, @Nullable Meter meter) throws IOException {
    if (meter == null) {
      json.writeNullField("remaining");
      json.writeNullField("limit");
    } else {
      json.writeNumberField("remaining", meter.remaining());
      json.writeNumberField("limit", meter.limit().capacity());
    }
  }

  private static void policy(JsonGenerator json, Part part) throws IOException {
    if (part.policy() == null) {
      json.writeNullField("policy");
      json.writeNullField("policyVersion");
    } else {
      json.writeStringField("policy", part.policy());
      json.writeNumberField("policyVersion", part.policyVersion());
    }
  }

  /** A wait is told rounded up, so that waiting it is enough; -1 if no wait is enough. */
  private static long millisOrNever(long nanos) {
    return nanos == Long.MAX_VALUE ? -1 : ceilMillis(nanos);
  }

  private static long ceilMillis(long nanos) {
    return -Math.floorDiv(-nanos, MILLI_NANOS);
  }
}
