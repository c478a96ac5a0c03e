package io.penstock.cluster;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/** The members of a group, and how they change. Thread-safe. */
final class Roster {
  /** Longer than a new member takes for all there is; one that is silent is given up sooner. */
  private static final long CHANGE_SECONDS_MAX = 30;

  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final Group group;

  Roster(Group group) {
    this.group = group;
  }

  /** The members, as far as this node knows; a change may not be agreed on yet. */
  List<Member> members() {
    RaftServer.Division division = group.division();
    return division == null
        ? List.of()
        : division.getRaftConf().getCurrentPeers().stream()
            .map(peer -> Member.parse(peer.getId() + "=" + peer.getAddress()))
            .toList();
  }

  /** Whether the members that this node knows are agreed on, and no change is under way. */
  boolean isSettled() {
    RaftServer.Division division = group.division();
    RaftConfiguration now = division == null ? null : division.getRaftConf();
    return division != null
        && now != null
        && now.getPreviousPeers().isEmpty()
        && now.getLogEntryIndex() <= division.getRaftLog().getLastCommittedIndex();
  }

  boolean hasSettled(String memberId) {
    return isSettled() && members().stream().anyMatch(member -> member.id().equals(memberId));
  }

  /**
   * Has other members from now on, if this node leads. Takes most of those there are and most of
   * those to come: whoever has forgotten everything does not count among the former (R24).
   */
  CompletionStage<Void> configure(List<RaftPeer> next) {
    try {
      RaftServer.Division division = group.opened();
      SetConfigurationRequest.Arguments change =
          SetConfigurationRequest.Arguments.newBuilder()
              .setServersInCurrentConf(List.copyOf(division.getRaftConf().getCurrentPeers()))
              .setServersInNewConf(next)
              .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
              .build();
      SetConfigurationRequest request =
          new SetConfigurationRequest(
              client,
              division.getId(),
              division.getMemberId().getGroupId(),
              calls.incrementAndGet(),
              change);
      return division
          .getRaftServer()
          .setConfigurationAsync(request)
          .orTimeout(CHANGE_SECONDS_MAX, TimeUnit.SECONDS)
          .thenApply(Group::successful)
          /* Not by who leads, which tells this while it holds what giving away needs. */
          .handleAsync(
              (done, failure) -> failure == null ? mend(division, next) : giveUp(division, failure))
          .thenCompose(each -> each);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /*
   * Whoever was silent while it was let in is never sent to again, and the next change by the same
   * leader waits for it without end.
   */
  private CompletionStage<Void> giveUp(RaftServer.Division division, Throwable failure) {
    CompletionStage<?> given =
        division.getInfo().isLeader() ? group.giveAway() : CompletableFuture.completedFuture(null);
    return given
        .handle((done, late) -> done)
        .thenCompose(done -> CompletableFuture.failedFuture(failure));
  }

  /*
   * Raft forgets to send to a new member if sending to it failed once before it was in; the next
   * leader does not.
   */
  private CompletionStage<Void> mend(RaftServer.Division division, List<RaftPeer> members) {
    List<String> sentTo =
        division.getCommitInfos().stream()
            .map(info -> RaftPeerId.valueOf(info.getServer().getId()).toString())
            .toList();
    boolean forgotten =
        division.getInfo().isLeader()
            && !members.stream().allMatch(peer -> sentTo.contains(peer.getId().toString()));
    return forgotten
        ? group.giveAway().thenApply(given -> null)
        : CompletableFuture.completedFuture(null);
  }

  /** The members as Raft has them: also where whoever wrote that reached them. */
  List<RaftPeer> peers() throws IOException {
    return List.copyOf(group.opened().getRaftConf().getCurrentPeers());
  }
}
