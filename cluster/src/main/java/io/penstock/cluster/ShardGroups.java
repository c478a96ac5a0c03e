package io.penstock.cluster;

import java.util.List;

/** Makes what the groups that share the shards replicate. */
@FunctionalInterface
public interface ShardGroups {
  /**
   * What each of some groups replicates, in their order; called before any of them is open: for
   * those that the cluster was created with, and then for those that came into being later (R19).
   *
   * @param founded how many it was created with
   * @param first the number of the first of these
   */
  List<Replicated> of(int founded, int first, List<Group> groups);

  /** The name of one of them. */
  static String name(int number) {
    return "shards-" + number;
  }
}
