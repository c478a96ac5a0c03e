package io.penstock.server.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who decides on the shards of each group, as far as this node knows. Thread-safe. */
public final class Owners {
  private volatile List<Ownership> groups = List.of();

  /** Those of some groups, in their order. */
  public static Owners of(List<Ownership> groups) {
    Owners owners = new Owners();
    owners.begin(groups);
    return owners;
  }

  /** It is known now how many groups there are. */
  void begin(List<Ownership> all) {
    groups = List.copyOf(all);
  }

  /** How many groups there are; 0 as long as nobody knows. */
  int size() {
    return groups.size();
  }

  Ownership of(int group) {
    return groups.get(group);
  }

  /** The same; null if there is no such group, or not yet. */
  @Nullable Ownership find(int group) {
    List<Ownership> known = groups;
    return group >= 0 && group < known.size() ? known.get(group) : null;
  }
}
