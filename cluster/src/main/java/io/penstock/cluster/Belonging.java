package io.penstock.cluster;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Which cluster this node belongs to, from finding it to being removed from it, as its disk says
 * too (R24). Thread-safe.
 */
final class Belonging implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Belonging.class.getName());
  private static final String ALONE =
      "cluster: not joined yet (expected: every node of peers to answer)";
  private static final long ARRIVING_MILLIS = 200;
  private static final long STAYING_MILLIS = 1_000;

  private final RaftOptions options;
  private final NodeClock clock;
  private final Groups groups;
  private final Doorbell doorbell;
  private final Member self;
  private final LateGroups late;
  private final Semaphore news = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "penstock-belonging");
  private volatile Identity identity;
  private volatile boolean closing;
  private volatile @Nullable String trouble = ALONE;
  private volatile Supplier<Map<String, UUID>> clusters = Map::of;
  private boolean isOpen;
  private @Nullable RaftServer server;

  Belonging(
      RaftOptions options, NodeClock clock, Identity identity, Groups groups, Doorbell doorbell) {
    this.options = options;
    this.clock = clock;
    this.identity = identity;
    this.groups = groups;
    this.doorbell = doorbell;
    this.self = identity.member(options.self());
    this.late = new LateGroups(options, groups, this::membersChanged);
    thread.setDaemon(true);
  }

  /** Begins; if this node has been in a cluster before, it is in it again on return. */
  synchronized void start(RaftServer raft, Supplier<Map<String, UUID>> told) throws IOException {
    server = raft;
    clusters = told;
    Membership known = identity.membership();
    if (known != null && !identity.isRemoved()) {
      open(known);
    }
    thread.start();
  }

  /** The groups that came into being after the cluster. */
  LateGroups late() {
    return late;
  }

  Identity identity() {
    return identity;
  }

  Hello hello() throws IOException {
    if (identity.isRemoved()) {
      throw new IOException(identity.removal());
    }
    return new Hello(self, clock.nanos(), membership());
  }

  /** The cluster and who is in it by now, as far as this node knows; null if it knows of none. */
  @Nullable Membership membership() {
    Membership known = identity.membership();
    List<Member> now = groups.members();
    return known == null || now.isEmpty() ? known : known.with(now);
  }

  /** That all who answer belong to another cluster; null if that is not so. */
  @Nullable String estrangement() {
    Membership now = membership();
    return now == null ? null : Estrangement.of(now, clusters.get());
  }

  /** Where a node of the cluster is reached; throws if there is none of this name. */
  Peer peer(String name) {
    Member member = identity.known().named(name);
    Membership now = member == null ? membership() : null;
    return options.reached(
        member != null ? member : (now == null ? identity.known() : now).member(name));
  }

  /** The other nodes: those of the cluster, or those that are listed as long as there is none. */
  List<Peer> others() {
    Membership now = membership();
    return now == null
        ? options.others()
        : now.members().stream()
            .map(options::reached)
            .filter(peer -> !peer.name().equals(self.peer().name()))
            .distinct()
            .toList();
  }

  /** Somebody came or went, perhaps this node. */
  void membersChanged() {
    news.release();
  }

  /** What keeps this node out of its cluster; null if it is in. */
  @Nullable String trouble() {
    return trouble == null ? estrangement() : trouble;
  }

  /** This node has founded a cluster together with others, who say so. */
  synchronized void found(Membership membership) throws IOException {
    Membership before = identity.membership();
    if (before != null && !before.cluster().equals(membership.cluster())) {
      throw new IOException("cluster: " + membership.cluster() + " (expected: " + before + ")");
    }
    if (!isOpen && !closing && membership.has(self.id())) {
      if (before == null) {
        become(identity.of(membership));
        groups.know(membership);
      }
      open(membership);
    }
  }

  private void become(Identity next) throws IOException {
    next.write(options.folder());
    identity = next;
  }

  private synchronized void open(Membership membership) throws IOException {
    RaftServer raft = server;
    if (raft == null || isOpen || closing) {
      return;
    }
    boolean isIn = membership.has(self.id());
    List<RaftPeer> founders = isIn ? Groups.peers(membership, options) : List.of();
    groups.open(raft, membership, founders);
    isOpen = true;
    if (isIn) {
      joined(membership);
    }
  }

  private void joined(Membership membership) throws IOException {
    if (!identity.isJoined()) {
      become(identity.joined(membership));
    }
    trouble = null;
    LOG.log(INFO, "node {0} belongs to cluster {1}", self.peer().name(), membership.cluster());
  }

  private void run() {
    try {
      while (!closing) {
        String before = trouble;
        try {
          trouble = step();
        } catch (IOException e) {
          trouble = String.valueOf(e.getMessage());
        }
        String now = trouble;
        if (now != null && !now.equals(before)) {
          LOG.log(WARNING, "{0} [data in {1}]", now, options.folder());
        }
        long millis = identity.isJoined() ? STAYING_MILLIS : ARRIVING_MILLIS;
        if (news.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
          news.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable String step() throws IOException, InterruptedException {
    if (identity.isRemoved()) {
      return leave();
    }
    if (identity.isJoined()) {
      return stay();
    }
    Membership found = new Bootstrap(options.peers(), self, doorbell::hello).find();
    Membership known = identity.membership();
    Membership cluster = found == null ? known : found;
    if (cluster == null) {
      return ALONE;
    }
    if (known != null && !known.cluster().equals(cluster.cluster())) {
      throw new IOException("cluster: " + cluster.cluster() + " (expected: " + known + ")");
    }
    if (cluster.has(self.id()) && !isOpen()) {
      others(cluster).forEach(peer -> doorbell.invite(peer, cluster.toString().getBytes(UTF_8)));
      found(cluster);
      return null;
    }
    return arrive(cluster);
  }

  private synchronized boolean isOpen() {
    return isOpen;
  }

  private List<Peer> others(Membership cluster) {
    List<Peer> all = new ArrayList<>(options.others());
    cluster.members().forEach(member -> all.add(options.reached(member)));
    return all.stream().distinct().filter(peer -> !peer.name().equals(self.peer().name())).toList();
  }

  private Seating ring(Knock.Wish wish, Membership cluster) throws InterruptedException {
    try {
      Knock knock = new Knock(wish, self, isOpen());
      return doorbell.ring(cluster, knock, others(cluster)).toCompletableFuture().get();
    } catch (ExecutionException e) {
      return Seating.NONE;
    }
  }

  /** Asks to be let in, with groups that are empty until whoever leads has sent all (R24). */
  private @Nullable String arrive(Membership cluster) throws IOException, InterruptedException {
    if (isOpen() && groups.areSettledWith(self.id())) {
      joined(cluster.with(groups.members()));
      return null;
    }
    Seating seating = ring(Knock.Wish.JOIN, cluster);
    if (!isOpen() && seating.isAny(Seating.Seat.WELCOME)) {
      become(identity.of(cluster));
      groups.know(cluster);
      open(cluster);
    }
    return seating.absence(self.peer(), cluster, groups.names());
  }

  /** Remembers who comes and goes. Whom nobody leads asks whether it is in still. */
  private @Nullable String stay() throws IOException, InterruptedException {
    Membership known = identity.membership();
    Membership now = membership();
    if (known == null || now == null) {
      return ALONE;
    }
    boolean isIn = now.has(self.id());
    if (isIn) {
      grow(known, late.in(now));
    }
    if ((!isIn || groups.leaderless() != null)
        && ring(Knock.Wish.ASK, now).isAll(groups.names(), Seating.Seat.OUT)) {
      List<Member> rest =
          now.members().stream().filter(member -> !member.id().equals(self.id())).toList();
      become(identity.joined(now.with(rest)));
      return leave();
    }
    return estrangement();
  }

  /* On disk before a group is: whoever starts again must know all that it finds there (R19). */
  private void grow(Membership known, Membership now) throws IOException, InterruptedException {
    if (!now.equals(known)) {
      become(identity.joined(now));
    }
    late.open(now, self);
    if (late.isOutside()) {
      var unused = ring(Knock.Wish.JOIN, now);
    }
  }

  private String leave() throws IOException {
    RaftServer raft;
    synchronized (this) {
      raft = server;
    }
    Membership known = identity.membership();
    if (raft != null && known != null) {
      groups.leave(raft, known);
    }
    return identity.removal();
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
  }
}
