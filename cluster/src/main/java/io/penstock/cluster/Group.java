package io.penstock.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/** A group of replicas, as its member on this node sees it. Thread-safe. */
public final class Group {
  static final long TRANSFER_MILLIS_MAX = TimeUnit.SECONDS.toMillis(3);

  /* A client id per process and call ids that never come again: nobody gets an old reply (R2). */
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final String name;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Roster roster = new Roster(this);
  private volatile @Nullable RaftServer server;
  private volatile @Nullable RaftGroupId id;

  Group(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  void open(RaftServer raft, RaftGroupId groupId) {
    this.id = groupId;
    this.server = raft;
    leaderChanged();
  }

  /** By what Raft knows it; null if it is not open yet. */
  @Nullable RaftGroupId id() {
    return id;
  }

  RaftServer.@Nullable Division division() {
    RaftServer raft = server;
    RaftGroupId group = id;
    try {
      return raft == null || group == null ? null : raft.getDivision(group);
    } catch (IOException e) {
      return null;
    }
  }

  RaftServer.Division opened() throws IOException {
    RaftServer.Division division = division();
    if (division == null) {
      throw new IOException("group " + name + ": not open yet");
    }
    return division;
  }

  /** The node that leads, as far as this one knows; null if it does not. */
  public @Nullable String leader() {
    RaftServer.Division division = division();
    RaftPeerId leader = division == null ? null : division.getInfo().getLeaderId();
    return leader == null ? null : Member.name(leader.toString());
  }

  /** Whether this node leads and has applied everything from before. */
  public boolean isLeader() {
    RaftServer.Division division = division();
    return division != null && division.getInfo().isLeaderReady();
  }

  /** The current term, as far as this node knows. */
  public long term() {
    RaftServer.Division division = division();
    return division == null ? 0 : division.getInfo().getCurrentTerm();
  }

  /** The index up to which this node has applied the log. */
  public long appliedIndex() {
    RaftServer.Division division = division();
    return division == null ? -1 : division.getInfo().getLastAppliedIndex();
  }

  /** Calls somebody whenever the leader may be another one. */
  public void onLeaderChange(Runnable listener) {
    listeners.add(listener);
  }

  void leaderChanged() {
    listeners.forEach(Runnable::run);
  }

  /**
   * Appends an entry, if this node leads; answers what applying it answered. A failure does not
   * mean that the entry is not in the log (R4).
   */
  public CompletionStage<byte[]> append(ByteBuffer entry) {
    Message message = Message.valueOf(UnsafeByteOperations.unsafeWrap(entry));
    return submit(message, RaftClientRequest.writeRequestType())
        .thenApply(reply -> reply.getMessage().getContent().toByteArray());
  }

  /**
   * The same, and has every other node apply it soon: they learn that an entry is committed with
   * the next one, or with a heartbeat. An empty one follows, which changes nothing.
   */
  CompletionStage<byte[]> appendForAll(ByteBuffer entry) {
    return append(entry)
        .thenApply(
            answer -> {
              var unused = append(ByteBuffer.allocate(0));
              return answer;
            });
  }

  /** Completes when this node has applied everything that was committed before it was asked. */
  public CompletionStage<Void> barrier() {
    return submit(Message.EMPTY, RaftClientRequest.readRequestType()).thenApply(reply -> null);
  }

  private CompletionStage<RaftClientReply> submit(Message message, RaftClientRequest.Type type) {
    try {
      RaftServer.Division division = opened();
      RaftClientRequest request =
          RaftClientRequest.newBuilder()
              .setClientId(client)
              .setServerId(division.getId())
              .setGroupId(division.getMemberId().getGroupId())
              .setCallId(calls.incrementAndGet())
              .setMessage(message)
              .setType(type)
              .build();
      return ((RaftClientAsynchronousProtocol) division)
          .submitClientRequestAsync(request)
          .thenApply(Group::successful);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  static RaftClientReply successful(RaftClientReply reply) {
    if (!reply.isSuccess()) {
      throw new IllegalStateException(String.valueOf(reply.getException()));
    }
    return reply;
  }

  /** Lets another node lead: of those that answer, the one that has most of the log. */
  public CompletionStage<?> giveAway() {
    return giveAway(node -> true);
  }

  /** The same, to one of some nodes. */
  public CompletionStage<?> giveAway(Predicate<String> heirs) {
    try {
      RaftServer.Division division = opened();
      RaftPeerId next = Heir.best(Heir.of(division), heirs);
      return transfer(division, next)
          .handle((reply, failure) -> reply != null && reply.isSuccess())
          .thenCompose(
              isDone ->
                  isDone || next == null
                      ? CompletableFuture.completedFuture(null)
                      : transfer(division, /* next= */ null));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Lets a node lead, if it can: else this one goes on, and the offer fails. */
  public CompletionStage<?> offer(String node) {
    if (node.equals(leader())) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      RaftServer.Division division = opened();
      for (Member member : roster.members()) {
        if (member.peer().name().equals(node)) {
          return transfer(division, RaftPeerId.valueOf(member.id()))
              .handle((reply, failure) -> reply != null && reply.isSuccess())
              .thenCompose(isDone -> isDone ? CompletableFuture.completedFuture(null) : late(node));
        }
      }
      throw new IOException("group " + name + ": " + node + " is not in it");
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Object> late(String node) {
    return CompletableFuture.failedFuture(
        new IOException(
            "group " + name + ": not led by " + node + " (expected: a node that has caught up)"));
  }

  /** Lets one node lead; or steps down, whoever follows: nothing else may end a term for good. */
  private CompletableFuture<RaftClientReply> transfer(
      RaftServer.Division division, @Nullable RaftPeerId next) {
    TransferLeadershipRequest request =
        new TransferLeadershipRequest(
            client,
            division.getId(),
            division.getMemberId().getGroupId(),
            calls.incrementAndGet(),
            next,
            TRANSFER_MILLIS_MAX);
    try {
      return division.getRaftServer().transferLeadershipAsync(request);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whether this node may want to lead from now on; if it leads already, it goes on. */
  void mayLead(boolean may) throws IOException {
    RaftServer.Division division = opened();
    RaftPeerId self = division.getId();
    RaftGroupId group = division.getMemberId().getGroupId();
    long call = calls.incrementAndGet();
    var unused =
        division
            .getRaftServer()
            .leaderElectionManagementAsync(
                may
                    ? LeaderElectionManagementRequest.newResume(client, self, group, call)
                    : LeaderElectionManagementRequest.newPause(client, self, group, call));
  }

  /** The nodes of the group, by name. */
  public List<String> replicas() {
    return roster.members().stream().map(member -> member.peer().name()).sorted().toList();
  }

  /** Its members, and how they change. */
  Roster roster() {
    return roster;
  }

  @Override
  public String toString() {
    return name;
  }
}
