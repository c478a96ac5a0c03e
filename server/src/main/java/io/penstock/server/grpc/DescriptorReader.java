package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the texts and descriptors of messages, and refuses what is out of bounds. Immutable.
 *
 * <p>Every refusal is an {@link IllegalArgumentException} whose message names the field.
 */
record DescriptorReader(Bounds bounds) {

  String domain(String domain) {
    if (domain.isEmpty()) {
      throw bad("domain", "", "at least one character");
    }
    return text("domain", domain, bounds.keyLength());
  }

  List<Descriptor> own(List<io.penstock.api.v1.Descriptor> descriptors) {
    size("descriptors", descriptors.size(), bounds.descriptors());
    List<Descriptor> all = new ArrayList<>(descriptors.size());
    for (int i = 0; i < descriptors.size(); i++) {
      List<io.penstock.api.v1.Entry> entries = descriptors.get(i).getEntriesList();
      Entry[] read = room(i, entries.size());
      for (int j = 0; j < read.length; j++) {
        read[j] = entry(i, entries.get(j).getKey(), entries.get(j).getValue());
      }
      all.add(new Descriptor(List.of(read)));
    }
    return all;
  }

  Descriptor envoy(int index, RateLimitDescriptor descriptor) {
    List<RateLimitDescriptor.Entry> entries = descriptor.getEntriesList();
    Entry[] read = room(index, entries.size());
    for (int i = 0; i < read.length; i++) {
      /*
       * Of any length that a message may have: Envoy lets a request pass if it is told of an error,
       * so a client could escape its limit with a long header. A key is kept as its hash only.
       */
      read[i] = new Entry(key(index, entries.get(i).getKey()), entries.get(i).getValue());
    }
    return new Descriptor(List.of(read));
  }

  private Entry[] room(int index, int entries) {
    if (entries < 1 || entries > bounds.entries()) {
      throw bad(at(index), entries + " elements", "1.." + bounds.entries());
    }
    return new Entry[entries];
  }

  private Entry entry(int index, String key, String value) {
    return new Entry(key(index, key), text("value", value, bounds.valueLength()));
  }

  private String key(int index, String key) {
    if (key.isEmpty()) {
      throw bad(at(index) + ".key", "", "at least one character");
    }
    return text("key", key, bounds.keyLength());
  }

  private static String at(int index) {
    return "descriptors[" + index + "].entries";
  }

  /** Refuses a list that is empty or too long. */
  static void size(String field, int size, int most) {
    if (size < 1 || size > most) {
      throw bad(field, size + " elements", "1.." + most);
    }
  }

  /** A text of at most so many bytes in UTF-8. */
  static String text(String field, String text, int mostBytes) {
    /* No UTF-16 unit takes more than three bytes, so hardly a text needs to be measured. */
    if (text.length() > mostBytes / 3) {
      int length = text.getBytes(UTF_8).length;
      if (length > mostBytes) {
        throw bad(field, length + " bytes", "at most " + mostBytes);
      }
    }
    return text;
  }

  static IllegalArgumentException bad(String field, Object value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }
}
