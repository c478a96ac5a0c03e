package io.penstock.server.http;

import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import java.util.ArrayList;
import java.util.List;

/**
 * A key as a query names it: {@code domain=api&d=plan:free&d=user:42}. Immutable.
 *
 * @param entries those of one descriptor, in the order of the query
 */
record KeyQuery(String domain, List<Entry> entries) {
  static final String DOMAIN = "domain";
  static final String ENTRY = "d";
  private static final String EXPECTED = "KEY:VALUE";

  /** Reads a query, and refuses what is missing, doubled or too long. */
  static KeyQuery of(Query query, Bounds bounds) {
    String domain = query.text(DOMAIN);
    if (domain == null) {
      throw Refusal.field(DOMAIN, "none", "a text");
    }
    Refusal.bounded(DOMAIN, domain, 1, bounds.keyLength());
    List<String> given = query.all(ENTRY);
    if (given.isEmpty()) {
      throw Refusal.field(ENTRY, "none", EXPECTED);
    }
    if (given.size() > bounds.entries()) {
      throw Refusal.field(ENTRY, given.size() + " times", "1.." + bounds.entries());
    }
    List<Entry> entries = new ArrayList<>(given.size());
    for (String each : given) {
      entries.add(entry(each, bounds));
    }
    return new KeyQuery(domain, List.copyOf(entries));
  }

  private static Entry entry(String text, Bounds bounds) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw Refusal.field(ENTRY, text, EXPECTED);
    }
    return new Entry(
        Refusal.bounded(ENTRY, text.substring(0, colon), 1, bounds.keyLength()),
        Refusal.bounded(ENTRY, text.substring(colon + 1), 0, bounds.valueLength()));
  }
}
