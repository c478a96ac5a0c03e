package io.penstock.server.http;

import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key as a query names it: {@code domain=api&d=plan:free&d=user:42}. Immutable.
 *
 * @param entries those of one descriptor, in the order of the query
 */
record KeyQuery(String domain, List<Entry> entries) {
  private static final String EXPECTED = "KEY:VALUE";

  /** Reads a query as it was sent, and refuses what is unknown, missing, doubled or too long. */
  static KeyQuery parse(@Nullable String query, Bounds bounds) {
    String domain = null;
    List<Entry> entries = new ArrayList<>();
    for (String part : (query == null ? "" : query).split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String text = part.substring(equals + 1).replace('+', ' ');
      if (part.isEmpty()) {
        continue;
      }
      if (name.equals("domain") && equals > 0 && domain == null) {
        domain = bounded(name, Percent.decode(name, text), 1, bounds.keyLength());
      } else if (name.equals("d") && equals > 0 && entries.size() < bounds.entries()) {
        entries.add(entry(Percent.decode(name, text), bounds));
      } else {
        String most = "one domain and 1.." + bounds.entries() + " d, nothing else";
        throw Refusal.field(name, part, most);
      }
    }
    if (domain == null) {
      throw Refusal.field("domain", "none", "a text");
    }
    if (entries.isEmpty()) {
      throw Refusal.field("d", "none", EXPECTED);
    }
    return new KeyQuery(domain, List.copyOf(entries));
  }

  private static Entry entry(String text, Bounds bounds) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw Refusal.field("d", text, EXPECTED);
    }
    return new Entry(
        bounded("d", text.substring(0, colon), 1, bounds.keyLength()),
        bounded("d", text.substring(colon + 1), 0, bounds.valueLength()));
  }

  private static String bounded(String name, String text, int min, int max) {
    int length = Utf8.length(text);
    if (length < min || length > max) {
      throw Refusal.field(name, length + " bytes", min + ".." + max + " bytes");
    }
    return text;
  }
}
