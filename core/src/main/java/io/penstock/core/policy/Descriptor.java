package io.penstock.core.policy;

import java.util.List;

/** One aspect of a request: {@code plan=free, user=42}. Immutable. The order counts. */
public record Descriptor(List<Entry> entries) {
  public Descriptor {
    entries = List.copyOf(entries);
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("entries: [] (expected: at least one entry)");
    }
  }

  /** A descriptor of keys and values in turn. */
  public static Descriptor of(String... keysAndValues) {
    if (keysAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "keysAndValues: " + keysAndValues.length + " texts (expected: an even number)");
    }
    Entry[] entries = new Entry[keysAndValues.length / 2];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new Entry(keysAndValues[2 * i], keysAndValues[2 * i + 1]);
    }
    return new Descriptor(List.of(entries));
  }
}
