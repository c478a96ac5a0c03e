package io.penstock.server.cluster;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a node is, by its own words. Immutable.
 *
 * @param reachable whether it has answered; if not, nothing else of it is known
 * @param draining whether it keeps away from leading
 * @param clockOffsetMillis how far its clock is ahead of that of the node that asked; null if that
 *     is not known
 * @param groups its groups, as it sees them
 */
public record NodeState(
    String node,
    boolean reachable,
    boolean draining,
    @Nullable Long clockOffsetMillis,
    List<Standing> groups) {
  static final int FORMAT = 1;

  public NodeState {
    groups = List.copyOf(groups);
  }

  /** As it is told to another node: who it is and how its clock goes, that one knows itself. */
  byte[] write() {
    return new Packing().number(FORMAT).truth(draining).list(groups, Standing::write).done();
  }

  /** What a node has told of itself. */
  static NodeState read(String node, byte[] bytes) {
    Unpacking in = new Unpacking(bytes);
    in.format(FORMAT);
    boolean draining = in.truth("draining");
    List<Standing> groups = in.list("groups", Standing::read);
    in.end();
    return new NodeState(
        node, /* reachable= */ true, draining, /* clockOffsetMillis= */ null, groups);
  }

  /** The same with a clock that is so far ahead. */
  NodeState ahead(@Nullable Long millis) {
    return new NodeState(node, reachable, draining, millis, groups);
  }

  static NodeState unreachable(String node) {
    return new NodeState(
        node, /* reachable= */ false, false, /* clockOffsetMillis= */ null, List.of());
  }

  /** The same as if it had only some groups. */
  NodeState only(Predicate<String> these) {
    List<Standing> kept = groups.stream().filter(each -> these.test(each.group())).toList();
    return new NodeState(node, reachable, draining, clockOffsetMillis, kept);
  }

  /** The groups that it leads. */
  public List<String> leads() {
    return groups.stream()
        .filter(each -> each.role(node) == Standing.Role.LEADER)
        .map(Standing::group)
        .toList();
  }
}
