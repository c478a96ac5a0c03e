package io.penstock.server.cluster;

import io.penstock.server.node.Signature;
import io.penstock.server.policy.LateGroup;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster lacks so that each node has a group, and each group its share of the shards (R19).
 * Pure.
 *
 * <p>A cluster with more nodes than groups gets one more group. Only a node that is added makes it
 * so: one that restarts, dies or is replaced is counted as before, and one that goes leaves a group
 * for whoever comes next. A group that came later is filled, shard by shard, from whichever group
 * has most; once it has had its share it is full for good. So nothing is moved twice, no more is
 * moved than the share, and what an operator moves stays where it is.
 */
final class Growth {
  /** The next thing to do. */
  sealed interface Step {}

  /** A group comes into being. */
  record Create(int group) implements Step {}

  /** A shard moves into a group. */
  record Move(int shard, int group) implements Step {}

  /** A group has its share. */
  record Full(LateGroup group) implements Step {}

  private Growth() {}

  /**
   * What is to be done next; null if nothing is.
   *
   * @param nodes how many are in the cluster, whether they answer or not
   * @param groups how many share the shards
   * @param late those of them that came after the cluster, in order
   * @param groupOf the group of each shard, or the one that it moves to
   */
  static @Nullable Step next(
      int nodes, int groups, List<LateGroup> late, IntUnaryOperator groupOf) {
    if (nodes > groups) {
      return new Create(groups);
    }
    for (LateGroup group : late) {
      if (!group.filled()) {
        return fill(group, sizes(groups, groupOf), groupOf);
      }
    }
    return null;
  }

  private static int[] sizes(int groups, IntUnaryOperator groupOf) {
    int[] sizes = new int[groups];
    IntStream.range(0, Signature.SHARDS).forEach(shard -> sizes[groupOf.applyAsInt(shard)]++);
    return sizes;
  }

  private static Step fill(LateGroup group, int[] sizes, IntUnaryOperator groupOf) {
    int largest =
        IntStream.range(0, sizes.length)
            .boxed()
            .max(Comparator.comparingInt(each -> sizes[each]))
            .orElseThrow();
    if (isFull(sizes[group.number()], sizes[largest], sizes.length)) {
      return new Full(group);
    }
    /* The last one, so that what stays is a range still. */
    int shard =
        IntStream.range(0, Signature.SHARDS)
            .filter(each -> groupOf.applyAsInt(each) == largest)
            .max()
            .orElseThrow();
    return new Move(shard, group.number());
  }

  /* With its share; or one more, if shares cannot be equal and somebody would have two more. */
  private static boolean isFull(int size, int largest, int groups) {
    int share = Signature.SHARDS / groups;
    boolean isExact = share * groups == Signature.SHARDS;
    return size > share || (size == share && (isExact || largest < size + 2));
  }
}
