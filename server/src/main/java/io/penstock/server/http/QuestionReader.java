package io.penstock.server.http;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import io.penstock.server.policy.LimitChecks;
import io.penstock.server.policy.Problem;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one {@link Question}, and refuses whatever is unknown, doubled, missing, of another type or
 * too large. Confined to one thread; good for one object.
 */
final class QuestionReader {
  private static final int PROBLEMS_MAX = 100;
  static final String INSTANT = "RFC 3339, as 2030-01-31T12:00:00Z, or Unix milliseconds";

  private final JsonInput in;
  private final Bounds bounds;

  /** What is wrong so far; null if the first problem ends the reading. */
  private final @Nullable List<Problem> problems;

  private @Nullable String domain;
  private @Nullable List<Descriptor> descriptors;
  private long cost = 1;
  private @Nullable String requestId;
  private long holdMillis = Question.NOT_GIVEN;
  private List<Limit> limits = List.of();
  private long untilMillis = Question.NOT_GIVEN;

  private QuestionReader(JsonInput in, Bounds bounds, @Nullable List<Problem> problems) {
    this.in = in;
    this.bounds = bounds;
    this.problems = problems;
  }

  /** Reads a body that is one question. */
  static Question one(byte[] body, Bounds bounds, Set<QuestionField> known) {
    try (JsonInput in = JsonInput.of(body)) {
      in.beginObject();
      Question question = new QuestionReader(in, bounds, /* problems= */ null).fields(known);
      in.end();
      return question;
    }
  }

  /** Reads a body that is one order of an operator: every field is needed, every problem told. */
  static Question order(byte[] body, Bounds bounds, Set<QuestionField> known) {
    List<Problem> problems = new ArrayList<>();
    try (JsonInput in = JsonInput.of(body)) {
      in.beginObject();
      Question question = new QuestionReader(in, bounds, problems).fields(known);
      in.end();
      return question;
    } catch (Refusal refusal) {
      Problem last = refusal.problem();
      if (last != null) {
        problems.add(last);
      }
      throw Refusal.document(problems);
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
      checks.add(new QuestionReader(in, bounds, /* problems= */ null).fields(QuestionField.CHECK));
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
      int depth = in.depth();
      try {
        read(name, known, seen);
      } catch (Refusal refusal) {
        goOn(refusal, depth);
      }
    }
    for (QuestionField field : problems == null ? QuestionField.NEEDED : known) {
      if (!seen.contains(field)) {
        goOn(in.missing(field.text(), field.expected()), in.depth());
      }
    }
    if (problems != null && !problems.isEmpty()) {
      throw Refusal.document(problems);
    }
    return new Question(
        Objects.requireNonNull(domain),
        Objects.requireNonNull(descriptors),
        cost,
        requestId,
        holdMillis,
        limits,
        untilMillis);
  }

  /** Notes a problem and goes on behind it, if all of them are wanted. */
  private void goOn(Refusal refusal, int depth) {
    Problem problem = refusal.problem();
    if (problems == null || problem == null || problems.size() == PROBLEMS_MAX || in.isBroken()) {
      throw refusal;
    }
    problems.add(problem);
    in.skipTo(depth);
  }

  private void read(String name, Set<QuestionField> known, Set<QuestionField> seen) {
    QuestionField field = QuestionField.of(name, known);
    if (field == null) {
      throw in.refusal("unknown field", "only " + QuestionField.names(known));
    }
    if (!seen.add(field)) {
      throw in.refusal("given twice", "once");
    }
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
    int count = 0;
    for (; in.nextArray(); count++) {
      if (count == bounds.descriptors()) {
        throw in.refusal("one more", "at most " + bounds.descriptors() + " descriptors");
      }
      List<Entry> entries = entries();
      if (!entries.isEmpty()) {
        all.add(new Descriptor(entries));
      }
    }
    if (count == 0) {
      throw in.refusal("[]", "at least one descriptor");
    }
    return all;
  }

  /** The entries of one descriptor; those that have a problem are noted and left out. */
  private List<Entry> entries() {
    int depth = in.depth();
    List<Entry> entries = new ArrayList<>(1);
    int count = 0;
    for (; in.nextObject(); count++) {
      if (count == bounds.entries()) {
        throw in.refusal("one more", "at most " + bounds.entries() + " entries");
      }
      try {
        entries.add(entry());
      } catch (Refusal refusal) {
        goOn(refusal, depth);
      }
    }
    if (count == 0) {
      throw in.refusal("[]", "at least one entry");
    }
    return entries;
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
    int depth = in.depth();
    Map<String, String> texts = new LinkedHashMap<>();
    int count = 0;
    for (; in.nextElement(); count++) {
      if (count == Bounds.LIMITS) {
        throw in.refusal("one more", "at most " + Bounds.LIMITS + " limits");
      }
      try {
        texts.put("limits[" + count + "]", in.element());
      } catch (Refusal refusal) {
        goOn(refusal, depth);
      }
    }
    if (count == 0) {
      throw in.refusal("[]", "at least one limit");
    }
    return LimitChecks.read(texts, Objects.requireNonNull(problems));
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
