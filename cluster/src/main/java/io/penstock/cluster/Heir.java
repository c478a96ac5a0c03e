package io.penstock.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Who may lead instead of this node. Immutable.
 *
 * @param commitIndex how much of the log it has, as far as this node knows
 * @param silentMillis for how long it has not answered
 */
record Heir(RaftPeerId id, long commitIndex, long silentMillis) {
  /** Several heartbeats: whoever was silent for longer would keep the others waiting. */
  private static final long SILENT_MILLIS_MAX = TimeUnit.SECONDS.toMillis(1);

  /** All other members of a group that this node leads. */
  static List<Heir> of(RaftServer.Division division) {
    Map<RaftPeerId, Long> silent =
        division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
            .collect(
                Collectors.toMap(
                    each -> RaftPeerId.valueOf(each.getId().getId()),
                    ServerRpcProto::getLastRpcElapsedTimeMs,
                    Math::min));
    return division.getCommitInfos().stream()
        .map(
            info -> {
              RaftPeerId id = RaftPeerId.valueOf(info.getServer().getId());
              long millis = silent.getOrDefault(id, Long.MAX_VALUE);
              return new Heir(id, info.getCommitIndex(), millis);
            })
        .filter(each -> !each.id.equals(division.getId()))
        .toList();
  }

  /** The one that has most of the log, of those who answer; of all, if nobody does. */
  static @Nullable RaftPeerId best(List<Heir> heirs, Predicate<String> nodes) {
    return heirs.stream()
        .filter(each -> nodes.test(Member.name(each.id.toString())))
        .max(Comparator.comparing(Heir::answers).thenComparingLong(Heir::commitIndex))
        .map(Heir::id)
        .orElse(null);
  }

  private boolean answers() {
    return silentMillis <= SILENT_MILLIS_MAX;
  }
}
