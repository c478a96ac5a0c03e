package io.penstock.server.policy;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Room for one check, used again and again. Thread-safe.
 *
 * <p>It keeps characters and not objects: thousands of objects that live for a second each are what
 * a garbage collector stops the server for.
 */
final class RecentCheck {
  private static final int CHARS = 256;
  private static final char[] UNUSED = {};

  private char[] text = UNUSED;
  private int length;
  private int entryCount;
  private boolean hasScope;
  private long timeNanos;
  private long cost;

  /** Whether a check fits: each text takes its characters and one for its length. */
  static boolean isShort(String domain, Descriptor descriptor, @Nullable String scope) {
    int chars = domain.length() + 1 + (scope == null ? 0 : scope.length() + 1);
    List<Entry> entries = descriptor.entries();
    for (int i = 0; i < entries.size() && chars <= CHARS; i++) {
      chars += entries.get(i).key().length() + entries.get(i).value().length() + 2;
    }
    return chars <= CHARS;
  }

  synchronized void set(
      long nanos, String domain, Descriptor descriptor, long units, @Nullable String scope) {
    if (text == UNUSED) {
      text = new char[CHARS];
    }
    length = 0;
    timeNanos = nanos;
    cost = units;
    put(domain);
    List<Entry> entries = descriptor.entries();
    entryCount = entries.size();
    for (int i = 0; i < entryCount; i++) {
      put(entries.get(i).key());
      put(entries.get(i).value());
    }
    hasScope = scope != null;
    if (scope != null) {
      put(scope);
    }
  }

  private void put(String part) {
    text[length++] = (char) part.length();
    part.getChars(0, part.length(), text, length);
    length += part.length();
  }

  /** What was set last, or null if nothing ever was. */
  synchronized RecentChecks.@Nullable Recent get() {
    if (text == UNUSED) {
      return null;
    }
    length = 0;
    String domain = take();
    Entry[] entries = new Entry[entryCount];
    for (int i = 0; i < entryCount; i++) {
      entries[i] = new Entry(take(), take());
    }
    String scope = hasScope ? take() : null;
    return new RecentChecks.Recent(
        timeNanos, domain, new Descriptor(List.of(entries)), cost, scope);
  }

  private String take() {
    int from = length + 1;
    length = from + text[length];
    return new String(text, from, length - from);
  }
}
