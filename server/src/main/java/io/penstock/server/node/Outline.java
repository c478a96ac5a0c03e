package io.penstock.server.node;

import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * What is known of a check before it is decided. Immutable.
 *
 * @param strict whether a policy wants its answer to be kept before it leaves
 * @param budget after which its fail mode answers: the longest of its descriptors
 * @param keys what each descriptor is counted under, in their order
 */
public record Outline(boolean strict, Duration budget, List<Long> keys) {
  public Outline {
    keys = List.copyOf(keys);
  }

  /**
   * Whether one group decides on all descriptors.
   *
   * @param groups the group of each shard
   */
  public boolean isOfOneGroup(IntUnaryOperator groups) {
    boolean isOne = true;
    for (int i = 1; i < keys.size(); i++) {
      isOne &= group(i, groups) == group(0, groups);
    }
    return isOne;
  }

  /** The group that decides on a descriptor. */
  public int group(int index, IntUnaryOperator groups) {
    return groups.applyAsInt(Signature.shard(keys.get(index)));
  }
}
