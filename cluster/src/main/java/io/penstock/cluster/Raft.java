package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.jspecify.annotations.Nullable;

/** This node's part in a cluster: its groups, and the way to the other nodes. Thread-safe. */
public final class Raft implements AutoCloseable {

  /** Answers what other nodes forward to this one. Must not block. */
  @FunctionalInterface
  public interface Desk {
    CompletionStage<byte[]> answer(byte[] question);
  }

  private final RaftOptions options;
  private final NodeClock clock;
  private final Desk desk;
  private final Groups groups;
  private final Disk disk;
  private final Calls calls;
  private final Doorbell doorbell;
  private final Porter porter;
  private final Belonging belonging;
  private final Neighbours neighbours;
  private final Enrolment enrolment;
  private @Nullable RaftServer server;

  private Raft(
      RaftOptions options, Map<String, Replicated> always, ShardGroups shardGroups, Desk desk)
      throws IOException {
    this.options = options;
    this.clock = new NodeClock(options.clock(), options.wall());
    this.desk = desk;
    this.calls = new Calls(options.clock(), options.tls());
    Files.createDirectories(options.folder());
    Identity identity = Identity.open(options.folder(), options.node());
    this.groups = new Groups(always, shardGroups, this::membersChanged, this::logFailed);
    this.disk = new Disk(options.folder(), groups, this::giveAway);
    this.porter = new Porter(options, groups, this::doorbell);
    this.doorbell = new Doorbell(options.node(), calls, porter::answer);
    this.belonging = new Belonging(options, clock, identity, groups, doorbell);
    this.neighbours =
        new Neighbours(
            belonging::others, belonging::membership, clock, doorbell::hello, this::giveAway);
    this.enrolment = new Enrolment(options, groups, belonging, doorbell);
  }

  private void membersChanged() {
    belonging.membersChanged();
  }

  void logFailed(RaftGroupId group, Throwable cause) {
    disk.failed(group, cause);
  }

  private Doorbell doorbell() {
    return doorbell;
  }

  /**
   * Starts this node's part. Its groups open as soon as it is known which cluster it belongs to.
   *
   * @param always what the groups replicate that every cluster has, by name
   * @param shardGroups makes the others, once it is known how many there are
   */
  public static Raft open(
      RaftOptions options, Map<String, Replicated> always, ShardGroups shardGroups, Desk desk)
      throws IOException {
    Raft raft = new Raft(options, always, shardGroups, desk);
    try {
      raft.start();
      return raft;
    } catch (IOException | RuntimeException e) {
      raft.close();
      throw e;
    }
  }

  private synchronized void start() throws IOException {
    Path storage = options.folder().resolve("raft");
    Identity identity = belonging.identity();
    Membership known = identity.membership();
    if (identity.isJoined() && !identity.isRemoved() && !Files.exists(storage)) {
      throw new IOException(
          storage + ": gone (expected: what this node has promised; remove " + Identity.FILE + ")");
    }
    if (known != null) {
      groups.know(known);
    }
    String id = identity.member(options.self()).id();
    RaftServer raft =
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(id))
            .setStateMachineRegistry(groups::machine)
            .setProperties(Tuning.of(options.folder(), options.self()))
            .setParameters(Tuning.parameters(port -> offer(port, id), options.tls()))
            .setOption(StartupOption.RECOVER)
            .build();
    server = raft;
    if (known != null) {
      /* Raft keeps the first address it hears; the log tells those that were in force once. */
      raft.getServerRpc().addRaftPeers(Groups.peers(known, options));
    }
    raft.start();
    neighbours.start();
    belonging.start(raft, neighbours::clusters);
    disk.start();
  }

  private NettyServerBuilder offer(NettyServerBuilder port, String id) {
    return calls.offer(port, this::answer).intercept(new Addressee(id, disk::isAway));
  }

  /** The id of the cluster; null as long as this node belongs to none. */
  public @Nullable String cluster() {
    Membership membership = belonging.identity().membership();
    return membership == null ? null : membership.cluster().toString();
  }

  /** The groups of this node by name: all, once it belongs to a cluster. */
  public List<String> groups() {
    return List.copyOf(groups.names());
  }

  /** One of this node's groups. */
  public Group group(String name) {
    return groups.get(name);
  }

  /** The groups that came into being after the cluster (R19). */
  public LateGroups late() {
    return belonging.late();
  }

  /** Lets other nodes lead what this one leads, and waits for that a little. */
  public void handOver() {
    groups.handOver();
  }

  /** A node whose clock or disk is off leads nothing that a node on time could lead (R10, R15). */
  private void giveAway() {
    groups.giveAway(neighbours::isOnTime);
  }

  /** Whether the clock of another node agrees with the middle of all that answer. */
  public boolean isOnTime(String node) {
    return neighbours.isOnTime(node);
  }

  /** Log time by now, for a node that becomes the owner; parameters as in {@link LogTime#of}. */
  long logNanos(long estimate, long stored) {
    return LogTime.of(estimate, clock.nanos(), neighbours.othersNanos(), stored);
  }

  /** How far the clock of another node is ahead of ours; null if it does not answer. */
  public @Nullable Long aheadNanos(String node) {
    return neighbours.aheadNanos(node);
  }

  private CompletionStage<byte[]> answer(byte[] question) {
    try {
      Letter letter = Letter.read(question);
      return switch (letter.kind()) {
        case HELLO -> CompletableFuture.completedFuture(belonging.hello().write());
        case JOIN -> founded(Membership.parse(new String(letter.rest(), UTF_8)));
        case PROPOSE -> group(letter.of(known()).group()).appendForAll(letter.text().slice());
        case FORWARD -> desk.answer(letter.of(known()).rest());
        case KNOCK ->
            porter.answer(Knock.read(letter.of(known()).rest())).thenApply(Seating::write);
      };
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Membership known() {
    return belonging.identity().known();
  }

  private CompletionStage<byte[]> founded(Membership membership) throws IOException {
    belonging.found(membership);
    return CompletableFuture.completedFuture(new byte[0]);
  }

  /**
   * Has an entry appended to a group by whichever node leads it; answers what applying it answered
   * there. A failure does not mean that it is not in the log (R4).
   */
  public CompletionStage<byte[]> propose(String group, byte[] entry, Duration timeout) {
    String leader = group(group).leader();
    if (leader == null) {
      return CompletableFuture.failedFuture(new IOException("group " + group + ": no leader"));
    }
    if (leader.equals(options.node())) {
      return group(group).appendForAll(ByteBuffer.wrap(entry));
    }
    return calls.ask(belonging.peer(leader), Letter.proposal(known(), group, entry), timeout);
  }

  /** Asks the desk of another node. */
  public CompletionStage<byte[]> forward(String node, byte[] question, Duration timeout) {
    return calls.ask(belonging.peer(node), Letter.forward(known(), question), timeout);
  }

  /**
   * Asks the desk of another node, together with whatever else it is asked at the time.
   *
   * @param timeout after which the answer is of no use; the failure may come later
   */
  public CompletionStage<byte[]> send(String node, byte[] question, Duration timeout) {
    return calls.talk(belonging.peer(node), Letter.forward(known(), question), timeout);
  }

  /** What goes to other nodes and comes from them. */
  public Traffic traffic() {
    return calls.traffic();
  }

  /**
   * Takes a node into the cluster that is started and waits for that; tells the names of all then.
   * Fails with an IllegalArgumentException if that is refused, with a TimeoutException if it lasts.
   */
  public CompletionStage<List<String>> add(Peer peer) {
    return enrolment.add(peer);
  }

  /**
   * Takes a node out of the cluster, dead or alive: what it leads is given away first. Tells the
   * names of the others; fails as {@link #add} does.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public CompletionStage<List<String>> remove(String node) {
    return enrolment.remove(node);
  }

  /** What keeps this node out of its cluster; null if it is in, with all of its groups. */
  public @Nullable String absence() {
    String known = belonging.trouble();
    return known == null ? disk.trouble() : known;
  }

  /** Whether this node has the data of one cluster and is among the nodes of another (R24). */
  public boolean isEstranged() {
    return belonging.estrangement() != null;
  }

  /** Why this node cannot write its logs, and so leads nothing (R10); null if it can. */
  public @Nullable String diskTrouble() {
    return disk.trouble();
  }

  /** What is wrong with the cluster as this node sees it, or null. */
  public @Nullable String trouble() {
    String known = belonging.trouble();
    String absence = known == null ? neighbours.absence() : neighbours.besides(known);
    if (absence != null) {
      return absence;
    }
    String leaderless = groups.leaderless();
    return leaderless == null
        ? neighbours.clockTrouble()
        : "group " + leaderless + ": no leader (expected: one, elected by most nodes)";
  }

  @Override
  public void close() {
    belonging.close();
    disk.close();
    RaftServer raft;
    synchronized (this) {
      raft = server;
    }
    if (raft != null) {
      Ending.of(raft);
    }
    neighbours.close();
    calls.close();
    groups.close();
  }
}
