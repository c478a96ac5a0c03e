package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import io.penstock.server.policy.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the texts and descriptors of messages, and refuses what is out of bounds. Immutable.
 *
 * <p>Every refusal is a {@link FieldException} that names the field.
 */
record DescriptorReader(Bounds bounds) {

  String domain(String domain) {
    return text("domain", domain, 1, bounds.keyLength());
  }

  List<Descriptor> own(List<io.penstock.api.v1.Descriptor> descriptors) {
    size("descriptors", descriptors.size(), bounds.descriptors());
    List<Descriptor> all = new ArrayList<>(descriptors.size());
    for (int i = 0; i < descriptors.size(); i++) {
      List<io.penstock.api.v1.Entry> entries = descriptors.get(i).getEntriesList();
      Entry[] read = room(i, entries.size());
      for (int j = 0; j < read.length; j++) {
        read[j] = entry(i, j, entries.get(j));
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
      read[i] = new Entry(key(index, i, entries.get(i).getKey()), entries.get(i).getValue());
    }
    return new Descriptor(List.of(read));
  }

  /** Room for the entries of a descriptor. */
  Entry[] room(int index, int entries) {
    if (entries < 1 || entries > bounds.entries()) {
      throw bad(at(index), entries + " elements", "1.." + bounds.entries());
    }
    return new Entry[entries];
  }

  /** An entry of a descriptor, both by their places. */
  Entry entry(int index, int place, io.penstock.api.v1.Entry entry) {
    String value = entry.getValue();
    if (!isWithin(value, 0, bounds.valueLength())) {
      throw badLength(at(index, place) + ".value", value, 0, bounds.valueLength());
    }
    return new Entry(key(index, place, entry.getKey()), value);
  }

  private String key(int index, int place, String key) {
    if (!isWithin(key, 1, bounds.keyLength())) {
      throw badLength(at(index, place) + ".key", key, 1, bounds.keyLength());
    }
    return key;
  }

  private static String at(int index, int place) {
    return at(index) + "[" + place + "]";
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

  /** A text of so many bytes in UTF-8. */
  static String text(String field, String text, int bytesMin, int bytesMax) {
    if (!isWithin(text, bytesMin, bytesMax)) {
      throw badLength(field, text, bytesMin, bytesMax);
    }
    return text;
  }

  /** No UTF-16 unit takes more than three bytes, so hardly a text needs to be measured. */
  private static boolean isWithin(String text, int bytesMin, int bytesMax) {
    return text.length() >= bytesMin
        && (text.length() <= bytesMax / 3 || text.getBytes(UTF_8).length <= bytesMax);
  }

  private static FieldException badLength(String field, String text, int bytesMin, int bytesMax) {
    int bytes = text.getBytes(UTF_8).length;
    return bad(field, bytes + " bytes", bytesMin + ".." + bytesMax + " bytes");
  }

  static FieldException bad(String field, Object value, String expected) {
    return new FieldException(new Problem(field, String.valueOf(value), expected));
  }
}
