package io.penstock.server.http;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one {@link Question}, and refuses whatever is unknown, doubled, missing, of another type or
 * too large. Confined to one thread; good for one object.
 */
final class QuestionReader {
  private static final int LIMITS_MAX = 16;
  static final String INSTANT = "RFC 3339, as 2030-01-31T12:00:00Z, or Unix milliseconds";

  private final JsonInput in;
  private final Bounds bounds;

  private @Nullable String domain;
  private @Nullable List<Descriptor> descriptors;
  private long cost = 1;
  private @Nullable String requestId;
  private long holdMillis = Question.NOT_GIVEN;
  private List<Limit> limits = List.of();
  private long untilMillis = Question.NOT_GIVEN;

  private QuestionReader(JsonInput in, Bounds bounds) {
    this.in = in;
    this.bounds = bounds;
  }

  /** Reads a body that is one question. */
  static Question one(byte[] body, Bounds bounds, Set<QuestionField> known) {
    try (JsonInput in = JsonInput.of(body)) {
      in.beginObject();
      Question question = new QuestionReader(in, bounds).fields(known);
      in.end();
      return question;
    }
  }

  /** Reads {@code {"checks":[…]}}. */
  static List<Question> batch(byte[] body, Bounds bounds) {
    try (JsonInput in = JsonInput.of(body)) {
      in.beginObject();
      List<Question> checks = null;
      for (String name = in.nextField(); name != null; name = in.nextField()) {
        if (!name.equals("checks") || checks != null) {
          throw in.refusal(checks == null ? "unknown field" : "given twice", "only checks, once");
        }
        checks = checks(in, bounds);
      }
      if (checks == null) {
        throw in.missing("checks", "a list of checks");
      }
      in.end();
      return checks;
    }
  }

  private static List<Question> checks(JsonInput in, Bounds bounds) {
    in.beginArray();
    List<Question> checks = new ArrayList<>();
    while (in.nextObject()) {
      if (checks.size() == bounds.checks()) {
        throw in.refusal("one more", "at most " + bounds.checks() + " checks");
      }
      checks.add(new QuestionReader(in, bounds).fields(QuestionField.CHECK));
    }
    if (checks.isEmpty()) {
      throw in.refusal("[]", "at least one check");
    }
    return checks;
  }

  /** Reads the fields up to the end of the object, whose beginning has been read. */
  private Question fields(Set<QuestionField> known) {
    Set<QuestionField> seen = EnumSet.noneOf(QuestionField.class);
    for (String name = in.nextField(); name != null; name = in.nextField()) {
      QuestionField field = QuestionField.of(name, known);
      if (field == null) {
        throw in.refusal("unknown field", "only " + QuestionField.names(known));
      }
      if (!seen.add(field)) {
        throw in.refusal("given twice", "once");
      }
      read(field);
    }
    if (domain == null) {
      throw in.missing("domain", "a text");
    }
    if (descriptors == null) {
      throw in.missing("descriptors", "a list of descriptors");
    }
    return new Question(domain, descriptors, cost, requestId, holdMillis, limits, untilMillis);
  }

  private void read(QuestionField field) {
    switch (field) {
      case DOMAIN -> domain = in.text(1, bounds.keyLength());
      case DESCRIPTORS -> descriptors = descriptors();
      case COST -> cost = in.integer();
      case REQUEST_ID -> requestId = in.text(1, bounds.requestIdLength());
      case TTL, LEASE -> holdMillis = in.integer();
      case LIMITS -> limits = limits();
      case UNTIL -> untilMillis = instant();
    }
  }

  private List<Descriptor> descriptors() {
    in.beginArray();
    List<Descriptor> all = new ArrayList<>(1);
    while (in.nextArray()) {
      if (all.size() == bounds.descriptors()) {
        throw in.refusal("one more", "at most " + bounds.descriptors() + " descriptors");
      }
      all.add(descriptor());
    }
    if (all.isEmpty()) {
      throw in.refusal("[]", "at least one descriptor");
    }
    return all;
  }

  private Descriptor descriptor() {
    List<Entry> entries = new ArrayList<>(1);
    while (in.nextObject()) {
      if (entries.size() == bounds.entries()) {
        throw in.refusal("one more", "at most " + bounds.entries() + " entries");
      }
      entries.add(entry());
    }
    if (entries.isEmpty()) {
      throw in.refusal("[]", "at least one entry");
    }
    return new Descriptor(entries);
  }

  private Entry entry() {
    String key = null;
    String value = null;
    for (String name = in.nextField(); name != null; name = in.nextField()) {
      if (name.equals("key") && key == null) {
        key = in.text(1, bounds.keyLength());
      } else if (name.equals("value") && value == null) {
        value = in.text(0, bounds.valueLength());
      } else {
        throw in.refusal("unknown field, or given twice", "only key, value, once each");
      }
    }
    if (key == null) {
      throw in.missing("key", "a text");
    }
    if (value == null) {
      throw in.missing("value", "a text");
    }
    return new Entry(key, value);
  }

  private List<Limit> limits() {
    in.beginArray();
    List<Limit> all = new ArrayList<>(1);
    while (in.nextText()) {
      if (all.size() == LIMITS_MAX) {
        throw in.refusal("one more", "at most " + LIMITS_MAX + " limits");
      }
      try {
        all.add(Limit.parse(in.current()));
      } catch (IllegalArgumentException e) {
        throw in.refusal(in.current(), "a limit, as 100/s burst 200: " + e.getMessage());
      }
    }
    if (all.isEmpty()) {
      throw in.refusal("[]", "at least one limit");
    }
    return all;
  }

  private long instant() {
    if (in.nextIsInteger()) {
      return in.currentInteger();
    }
    try {
      return OffsetDateTime.parse(in.current()).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw in.refusal(in.current(), INSTANT);
    }
  }
}
