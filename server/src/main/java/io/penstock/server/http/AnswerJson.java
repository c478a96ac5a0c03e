package io.penstock.server.http;

import static io.penstock.server.http.JsonBytes.piece;

import io.penstock.server.fields.Whole;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer as JSON. Stateless.
 *
 * <p>Where nothing is counted (no policy, unlimited, disabled) there is no number to tell, and
 * {@code limit} and {@code remaining} are null: a 0 would read as "nothing left".
 */
final class AnswerJson {
  private static final byte[] TRUE = piece("{\"allowed\":true");
  private static final byte[] FALSE = piece("{\"allowed\":false");
  private static final byte[] REMAINING = piece(",\"remaining\":");
  private static final byte[] LIMIT = piece(",\"limit\":");
  private static final byte[] NO_COUNTS = piece(",\"remaining\":null,\"limit\":null");
  private static final byte[] RETRY_AFTER_MS = piece(",\"retryAfterMs\":");
  private static final byte[] RESET_AFTER_MS = piece(",\"resetAfterMs\":");
  private static final byte[] POLICY = piece(",\"policy\":");
  private static final byte[] POLICY_VERSION = piece(",\"policyVersion\":");
  private static final byte[] NO_POLICY = piece(",\"policy\":null,\"policyVersion\":null");
  private static final byte[] REASON = piece(",\"reason\":");
  private static final byte[] DURABILITY = piece(",\"durability\":");
  private static final byte[] DECIDED_BY = piece(",\"decidedBy\":");
  private static final byte[] WAIT_MS = piece(",\"waitMs\":");
  private static final byte[] DUPLICATE = piece(",\"duplicate\":true");
  private static final byte[] RESULTS = piece(",\"results\":[");
  private static final byte[] NEXT = piece(",");
  private static final byte[] COLON = piece(":");
  private static final byte[] NULL = piece("null");
  private static final byte[] RESULTS_END = piece("]");
  private static final byte[] END = piece("}");

  private AnswerJson() {}

  static void write(JsonBytes json, Answer answer) {
    begin(json, answer);
    json.raw(END);
  }

  /** An answer that has one more field; null if there is nothing to tell. */
  static void write(JsonBytes json, Answer answer, String name, @Nullable String value) {
    begin(json, answer);
    json.raw(NEXT).text(name).raw(COLON);
    (value == null ? json.raw(NULL) : json.text(value)).raw(END);
  }

  private static void begin(JsonBytes json, Answer answer) {
    Part part = answer.part();
    json.raw(answer.allowed() ? TRUE : FALSE);
    counts(json, part.meter());
    json.raw(RETRY_AFTER_MS).number(millisOrNever(answer.retryAfterNanos()));
    json.raw(RESET_AFTER_MS).number(Whole.millis(answer.resetAfterNanos()));
    policy(json, part);
    json.raw(REASON).text(part.why().text());
    json.raw(DURABILITY).text(answer.durability().text());
    json.raw(DECIDED_BY).text(answer.decidedBy());
    json.raw(WAIT_MS).number(Whole.millis(answer.waitNanos()));
    if (answer.duplicate()) {
      json.raw(DUPLICATE);
    }
    json.raw(RESULTS);
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        json.raw(NEXT);
      }
      result(json, parts.get(i));
    }
    json.raw(RESULTS_END);
  }

  private static void result(JsonBytes json, Part part) {
    json.raw(part.allowed() ? TRUE : FALSE);
    policy(json, part);
    counts(json, part.meter());
    json.raw(RETRY_AFTER_MS).number(millisOrNever(part.retryAfterNanos()));
    json.raw(REASON).text(part.why().text()).raw(END);
  }

  private static void counts(JsonBytes json, @Nullable Meter meter) {
    if (meter == null) {
      json.raw(NO_COUNTS);
    } else {
      json.raw(REMAINING).number(meter.remaining());
      json.raw(LIMIT).number(meter.limit().capacity());
    }
  }

  private static void policy(JsonBytes json, Part part) {
    if (part.policy() == null) {
      json.raw(NO_POLICY);
    } else {
      json.raw(POLICY).text(part.policy());
      json.raw(POLICY_VERSION).number(part.policyVersion());
    }
  }

  /** A wait is told rounded up, so that waiting it is enough; -1 if no wait is enough. */
  private static long millisOrNever(long nanos) {
    return nanos == Long.MAX_VALUE ? -1 : Whole.millis(nanos);
  }
}
