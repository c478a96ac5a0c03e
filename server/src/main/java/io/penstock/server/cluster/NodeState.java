package io.penstock.server.cluster;

import java.util.List;
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
  public NodeState {
    groups = List.copyOf(groups);
  }

  static NodeState unreachable(String node) {
    return new NodeState(
        node, /* reachable= */ false, false, /* clockOffsetMillis= */ null, List.of());
  }

  /** The groups that it leads. */
  public List<String> leads() {
    return groups.stream()
        .filter(each -> each.role(node) == Standing.Role.LEADER)
        .map(Standing::group)
        .toList();
  }
}
