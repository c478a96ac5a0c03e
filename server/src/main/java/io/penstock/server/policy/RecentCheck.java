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
  static final int CHARS = 256;

  private final char[] texts;
  private final int from;
  private int at;
  private int entryCount;
  private boolean hasScope;
  private boolean isSet;
  private boolean isLong;
  private long timeNanos;
  private long cost;

  /** Room in an array that is shared: one large one is never copied by a collector. */
  RecentCheck(char[] texts, int from) {
    this.texts = texts;
    this.from = from;
  }

  /** Whether a check fits: each text takes its characters and one for its length. */
  private static boolean isShort(String domain, Descriptor descriptor, @Nullable String scope) {
    int chars = domain.length() + 1 + (scope == null ? 0 : scope.length() + 1);
    List<Entry> entries = descriptor.entries();
    for (int i = 0; i < entries.size() && chars <= CHARS; i++) {
      chars += entries.get(i).key().length() + entries.get(i).value().length() + 2;
    }
    return chars <= CHARS;
  }

  /** Puts a check in the place of the one before; false if it does not fit. */
  synchronized boolean set(
      long nanos, String domain, Descriptor descriptor, long units, @Nullable String scope) {
    isSet = true;
    isLong = !isShort(domain, descriptor, scope);
    if (isLong) {
      return false;
    }
    at = from;
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
    return true;
  }

  private void put(String part) {
    texts[at++] = (char) part.length();
    part.getChars(0, part.length(), texts, at);
    at += part.length();
  }

  /** Whether what was set last did not fit. */
  synchronized boolean isTooLong() {
    return isLong;
  }

  /** What was set last, or null if nothing ever was, or if it did not fit. */
  synchronized RecentChecks.@Nullable Recent get() {
    if (!isSet || isLong) {
      return null;
    }
    at = from;
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
    int begin = at + 1;
    at = begin + texts[at];
    return new String(texts, begin, at - begin);
  }
}
