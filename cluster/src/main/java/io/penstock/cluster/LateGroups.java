package io.penstock.cluster;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.RaftPeer;
import org.jspecify.annotations.Nullable;

/**
 * The groups that came into being after their cluster, and how this node takes part in them (R19).
 * Thread-safe.
 *
 * <p>Who founds such a group is agreed on before, by incarnation: so it begins alike on all of
 * them, whenever they hear of it, and whoever has lost its disk meanwhile is not one of them (R24).
 * A node that is not asks to be let in, as one that comes to the cluster does.
 */
public final class LateGroups {
  private static final String BETWEEN = " ";

  private final RaftOptions options;
  private final Groups groups;
  private final Runnable changed;
  private final Map<Integer, List<Member>> founders = new ConcurrentSkipListMap<>();

  /**
   * None yet.
   *
   * @param changed called when there is one more; must not block
   */
  LateGroups(RaftOptions options, Groups groups, Runnable changed) {
    this.options = options;
    this.groups = groups;
    this.changed = changed;
  }

  /** Who would found a group by now: all members, if every group has the same; null if not. */
  public @Nullable String founders() {
    Set<Set<String>> ids = new HashSet<>();
    for (Group group : groups.all()) {
      Roster roster = group.roster();
      ids.add(
          roster.isSettled()
              ? roster.members().stream().map(Member::id).collect(Collectors.toSet())
              : Set.of());
    }
    return ids.size() == 1 && !ids.contains(Set.of())
        ? groups.members().stream().map(Member::toString).collect(Collectors.joining(BETWEEN))
        : null;
  }

  /**
   * It was agreed on that there is a group.
   *
   * @param by who founds it, as {@link #founders} told
   */
  public void add(int number, String by) {
    founders.put(number, Arrays.stream(by.split(BETWEEN, -1)).map(Member::parse).toList());
    changed.run();
  }

  /** The cluster with all of them. */
  Membership in(Membership known) {
    return known.grown(founders.keySet().stream().mapToInt(number -> number + 1).max().orElse(0));
  }

  /** Opens those of a membership that are not open. One that was agreed on since comes next. */
  void open(Membership membership, Member self) throws IOException {
    groups.know(membership);
    for (Map.Entry<Integer, List<Member>> each : founders.entrySet()) {
      if (each.getKey() >= membership.shardGroups()) {
        return;
      }
      boolean isFounder = each.getValue().stream().anyMatch(by -> by.id().equals(self.id()));
      List<RaftPeer> peers =
          Groups.peers(membership.with(isFounder ? each.getValue() : List.of()), options);
      groups.openLate(membership, ShardGroups.name(each.getKey()), peers);
    }
  }

  /** Whether one that is open has never let this node in. */
  boolean isOutside() {
    return groups.all().stream()
        .anyMatch(group -> group.division() != null && group.roster().members().isEmpty());
  }
}
