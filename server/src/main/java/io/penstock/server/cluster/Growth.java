package io.penstock.server.cluster;

import io.penstock.server.node.Signature;
import io.penstock.server.policy.LateGroup;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster lacks so that each node has a group, and each group its share of the shards (R19).
 * Pure.
 *
 * <p>A cluster with more nodes than groups gets one more group. Only a node that is added makes it
 * so: one that restarts or dies is counted as before. A group that came later is filled, shard by
 * shard, from whichever group has most, and once it has had its share it is left alone: no more is
 * moved than the share, and what an operator moves stays where it is. With a node that is removed
 * the last of the groups becomes spare: its shards go to the others, and it stays for whoever comes
 * next, who fills it as one that came later.
 */
final class Growth {
  /** The next thing to do. */
  sealed interface Step {}

  /** A group comes into being. */
  record Create(int group) implements Step {}

  /** A group is to give its share up. */
  record Retire(int group) implements Step {}

  /** A shard moves into a group. */
  record Move(int shard, int group) implements Step {}

  /** A group has its share. */
  record Full(LateGroup group) implements Step {}

  private Growth() {}

  /**
   * What is to be done next; null if nothing is.
   *
   * @param nodes how many are in the cluster, whether they answer or not
   * @param groups how many there are, spare ones included
   * @param late those of them that came after the cluster, or were spare once
   * @param groupOf the group of each shard, or the one that it moves to
   */
  static @Nullable Step next(
      int nodes, int groups, List<LateGroup> late, IntUnaryOperator groupOf) {
    if (nodes > groups) {
      return new Create(groups);
    }
    Set<Integer> unfilled =
        late.stream()
            .filter(each -> !each.filled())
            .map(LateGroup::number)
            .collect(Collectors.toSet());
    for (int group = groups - 1; group >= nodes; group--) {
      if (!unfilled.contains(group)) {
        return new Retire(group);
      }
    }
    int[] sizes = sizes(groups, groupOf);
    /* What is spare first, to whoever has least; a group is full when there is nothing to move. */
    return Stream.concat(
            IntStream.range(nodes, groups).mapToObj(each -> empty(each, sizes, nodes, groupOf)),
            late.stream()
                .filter(each -> each.number() < nodes && !each.filled())
                .map(each -> fill(each, sizes, nodes, groupOf)))
        .filter(Objects::nonNull)
        .min(Comparator.comparing(step -> step instanceof Full))
        .orElse(null);
  }

  private static int[] sizes(int groups, IntUnaryOperator groupOf) {
    int[] sizes = new int[groups];
    IntStream.range(0, Signature.SHARDS).forEach(shard -> sizes[groupOf.applyAsInt(shard)]++);
    return sizes;
  }

  private static Step fill(LateGroup group, int[] sizes, int nodes, IntUnaryOperator groupOf) {
    int largest =
        IntStream.range(0, sizes.length)
            .boxed()
            .max(Comparator.comparingInt(each -> sizes[each]))
            .orElseThrow();
    if (isFull(sizes[group.number()], sizes[largest], nodes)) {
      return new Full(group.full());
    }
    /* The last one, so that what stays is a range still. */
    int shard =
        IntStream.range(0, Signature.SHARDS)
            .filter(each -> groupOf.applyAsInt(each) == largest)
            .max()
            .orElseThrow();
    return new Move(shard, group.number());
  }

  private static @Nullable Step empty(int group, int[] sizes, int nodes, IntUnaryOperator groupOf) {
    if (sizes[group] == 0) {
      return null;
    }
    int smallest =
        IntStream.range(0, nodes)
            .boxed()
            .min(Comparator.comparingInt(each -> sizes[each]))
            .orElseThrow();
    /* One behind what that has, if there is one: so ranges become whole again. */
    Comparator<Integer> isBehind =
        Comparator.comparing(each -> each == 0 || groupOf.applyAsInt(each - 1) != smallest);
    int shard =
        IntStream.range(0, Signature.SHARDS)
            .filter(each -> groupOf.applyAsInt(each) == group)
            .boxed()
            .min(isBehind)
            .orElseThrow();
    return new Move(shard, smallest);
  }

  /* With its share; or one more, if shares cannot be equal and somebody would have two more. */
  private static boolean isFull(int size, int largest, int groups) {
    int share = Signature.SHARDS / groups;
    boolean isExact = share * groups == Signature.SHARDS;
    return size > share || (size == share && (isExact || largest < size + 2));
  }
}
