package io.penstock.server.grpc;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.LimitChecks;
import io.penstock.server.policy.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what an operator orders for keys, part by part, and tells all that is wrong with it in the
 * end. What a part with a problem is read as means nothing. Confined to one thread; good for one
 * order.
 */
final class OrderReader {
  private final DescriptorReader reader;
  private final List<Problem> problems = new ArrayList<>();

  OrderReader(DescriptorReader reader) {
    this.reader = reader;
  }

  String domain(String domain) {
    note(() -> reader.domain(domain));
    return domain;
  }

  List<Descriptor> descriptors(List<io.penstock.api.v1.Descriptor> descriptors) {
    int most = reader.bounds().descriptors();
    note(() -> DescriptorReader.size("descriptors", descriptors.size(), most));
    List<Descriptor> all = new ArrayList<>();
    for (int i = 0; i < Math.min(descriptors.size(), most); i++) {
      List<Entry> entries = entries(i, descriptors.get(i).getEntriesList());
      if (!entries.isEmpty()) {
        all.add(new Descriptor(entries));
      }
    }
    return all;
  }

  private List<Entry> entries(int index, List<io.penstock.api.v1.Entry> entries) {
    note(() -> reader.room(index, entries.size()));
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < Math.min(entries.size(), reader.bounds().entries()); i++) {
      int place = i;
      note(() -> all.add(reader.entry(index, place, entries.get(place))));
    }
    return all;
  }

  List<Limit> limits(List<String> limits) {
    Map<String, String> texts = new LinkedHashMap<>();
    note(() -> DescriptorReader.size("limits", limits.size(), Bounds.LIMITS));
    for (int i = 0; i < Math.min(limits.size(), Bounds.LIMITS); i++) {
      texts.put("limits[" + i + "]", limits.get(i));
    }
    return LimitChecks.read(texts, problems);
  }

  long untilMillis(boolean given, Timestamp until) {
    if (given && Timestamps.isValid(until)) {
      return Timestamps.toMillis(until);
    }
    problems.add(new Problem("until", given ? "out of range" : "none", "a timestamp"));
    return 0;
  }

  private void note(Runnable part) {
    try {
      part.run();
    } catch (FieldException e) {
      problems.add(e.problem());
    }
  }

  /** Goes on only if nothing is wrong. */
  void end() {
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
  }
}
