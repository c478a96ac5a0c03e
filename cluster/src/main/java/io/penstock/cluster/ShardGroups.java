package io.penstock.cluster;

import java.util.List;

/** Makes what the groups that share the shards replicate. */
@FunctionalInterface
public interface ShardGroups {
  /**
   * What each of them replicates, in their order; called once, before any of them is open.
   *
   * @param groups as many as the cluster was created with (R19)
   */
  List<Replicated> of(List<Group> groups);

  /** The name of one of them. */
  static String name(int index) {
    return "shards-" + index;
  }
}
