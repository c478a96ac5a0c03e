package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
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

  // Names are encoded once: writing answers is a good part of the work of a check.
  private static final SerializableString ALLOWED = new SerializedString("allowed");
  private static final SerializableString RETRY_AFTER_MS = new SerializedString("retryAfterMs");
  private static final SerializableString RESET_AFTER_MS = new SerializedString("resetAfterMs");
  private static final SerializableString REASON = new SerializedString("reason");
  private static final SerializableString DURABILITY = new SerializedString("durability");
  private static final SerializableString DECIDED_BY = new SerializedString("decidedBy");
  private static final SerializableString WAIT_MS = new SerializedString("waitMs");
  private static final SerializableString DUPLICATE = new SerializedString("duplicate");
  private static final SerializableString RESULTS = new SerializedString("results");
  private static final SerializableString REMAINING = new SerializedString("remaining");
  private static final SerializableString LIMIT = new SerializedString("limit");
  private static final SerializableString POLICY = new SerializedString("policy");
  private static final SerializableString POLICY_VERSION = new SerializedString("policyVersion");

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
    json.writeFieldName(ALLOWED);
    json.writeBoolean(answer.allowed());
    counts(json, meter);
    json.writeFieldName(RETRY_AFTER_MS);
    json.writeNumber(millisOrNever(answer.retryAfterNanos()));
    json.writeFieldName(RESET_AFTER_MS);
    json.writeNumber(ceilMillis(answer.resetAfterNanos()));
    policy(json, part);
    json.writeFieldName(REASON);
    json.writeString(part.why().text());
    json.writeFieldName(DURABILITY);
    json.writeString(answer.durability().text());
    json.writeFieldName(DECIDED_BY);
    json.writeString(answer.decidedBy());
    json.writeFieldName(WAIT_MS);
    json.writeNumber(ceilMillis(answer.waitNanos()));
    if (answer.duplicate()) {
      json.writeFieldName(DUPLICATE);
      json.writeBoolean(true);
    }
    json.writeFieldName(RESULTS);
    json.writeStartArray();
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); i++) {
      result(json, parts.get(i));
    }
    json.writeEndArray();
  }

  private static void result(JsonGenerator json, Part part) throws IOException {
    json.writeStartObject();
    json.writeFieldName(ALLOWED);
    json.writeBoolean(part.allowed());
    policy(json, part);
    counts(json, part.meter());
    json.writeFieldName(RETRY_AFTER_MS);
    json.writeNumber(millisOrNever(part.retryAfterNanos()));
    json.writeFieldName(REASON);
    json.writeString(part.why().text());
    json.writeEndObject();
  }

  private static void counts(JsonGenerator json, @Nullable Meter meter) throws IOException {
    if (meter == null) {
      json.writeFieldName(REMAINING);
      json.writeNull();
      json.writeFieldName(LIMIT);
      json.writeNull();
    } else {
      json.writeFieldName(REMAINING);
      json.writeNumber(meter.remaining());
      json.writeFieldName(LIMIT);
      json.writeNumber(meter.limit().capacity());
    }
  }

  private static void policy(JsonGenerator json, Part part) throws IOException {
    if (part.policy() == null) {
      json.writeFieldName(POLICY);
      json.writeNull();
      json.writeFieldName(POLICY_VERSION);
      json.writeNull();
    } else {
      json.writeFieldName(POLICY);
      json.writeString(part.policy());
      json.writeFieldName(POLICY_VERSION);
      json.writeNumber(part.policyVersion());
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
