package io.penstock.server.cluster;

import io.penstock.cluster.PeerTls;
import io.penstock.cluster.Raft;
import io.penstock.cluster.RaftOptions;
import io.penstock.cluster.Replicated;
import io.penstock.cluster.Traffic;
import io.penstock.core.Clock;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.ServerConfig.Storage;
import io.penstock.server.node.Heat;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.policy.LateGroup;
import io.penstock.server.policy.PolicyStore;
import io.penstock.shard.Shard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * This server as a node of a cluster: policies that all nodes share, and groups of shards that each
 * have an owner. Thread-safe.
 */
public final class Cluster implements AutoCloseable {
  /** The group of the policies. */
  static final String META = "meta";

  private static final long JOIN_MILLIS = 100;

  private final String name;
  private final Clock clock;
  private final InstantSource wallClock;
  private final Clock decisions;
  private final ShardMap map = new ShardMap();
  private final Owners owners = new Owners(map);
  private final OwnerDesk ownerDesk;
  private final MetaProposer proposer;
  private final PolicyStore store;
  private final CompletableFuture<Raft> raft = new CompletableFuture<>();
  private final Tenures tenures;
  private final Grower grower;
  private final ClusterTopology topology;
  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile @Nullable PolicyDesk desk;
  private volatile @Nullable Mover mover;
  private volatile boolean closing;

  private Cluster(ServerConfig config, Path policies, Clock decisions, InstantSource wallClock) {
    this.name = config.node();
    this.clock = Clock.system();
    this.wallClock = wallClock;
    this.decisions = decisions;
    this.tenures = new Tenures(config, clock, decisions, owners, raft);
    this.ownerDesk = new OwnerDesk(name, owners, clock);
    Relocation relocation = new Relocation(map, () -> store().moves(), clock);
    this.topology = new ClusterTopology(name, raft::join, relocation, this::heat, clock);
    this.proposer = new MetaProposer(new MetaLog(), clock);
    this.store = PolicyStore.replica(policies, wallClock, proposer);
    store.beforeReads(proposer::catchUp);
    tenures.onOpen(topology::opened);
    this.grower = new Grower(new GrowthSite(raft::join, topology, relocation), owners, clock);
    store.moves().followGroups(this::grown);
    store.moves().follow(map::put);
    store.planBy((kind, document, text) -> desk().counters(kind, document, text));
  }

  /** A group is known before any shard is in it (R19). */
  private void grown(LateGroup group) {
    var unused = owners.add(group.number());
    grower.put(group);
    var unusedOpening =
        raft.thenAccept(opened -> opened.late().add(group.number(), group.founders()));
  }

  /**
   * Takes part in the cluster that the settings name; does not wait for the others.
   *
   * @param decisions the time by which to decide
   */
  public static Cluster open(
      ServerConfig config,
      Path policies,
      Clock decisions,
      InstantSource wallClock,
      @Nullable PeerTls tls)
      throws IOException {
    Cluster cluster = new Cluster(config, policies, decisions, wallClock);
    try {
      cluster.mayMakeDesk();
      cluster.join(config, tls);
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void join(ServerConfig config, @Nullable PeerTls tls) throws IOException {
    Storage storage = config.storage();
    RaftOptions options =
        new RaftOptions(name, config.peers(), storage.data(), clock, wallClock, tls);
    Map<String, Replicated> always = Map.of(META, new PolicyGroup(store, this::mayMakeDesk));
    Raft opened = Raft.open(options, always, tenures, this::answer);
    raft.complete(opened);
    opened.group(META).onLeaderChange(proposer::leaderChanged);
    tenures.tell();
    topology.begin();
    grower.begin();
  }

  private CompletionStage<byte[]> answer(byte[] question) {
    if (NodeOrder.isMeant(question)) {
      return raft.thenCompose(opened -> topology.answer(question));
    }
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    ownerDesk.answer(question, answer::complete);
    return answer;
  }

  private @Nullable Heat heat() {
    PolicyDesk made = desk;
    return made == null ? null : made.heat();
  }

  private PolicyDesk desk() {
    PolicyDesk made = desk;
    if (made == null) {
      throw new IllegalStateException("secret: none (expected: agreed on before any policy)");
    }
    return made;
  }

  /** Once the secret is known, so are the keys: policies can come into force. */
  private void mayMakeDesk() {
    byte[] secret = desk == null ? store.secret() : null;
    if (secret != null) {
      makeDesk(secret);
    }
  }

  private void makeDesk(byte[] secret) {
    ByteBuffer words = ByteBuffer.wrap(secret);
    PolicyDesk made =
        new PolicyDesk(
            tenures.rules(), new Node.Secret(words.getLong(), words.getLong()), decisions);
    made.load(store::forEachCurrent);
    made.loadPast(store::forEachPast);
    store.onChange(made::apply);
    desk = made;
    tenures.decideAt(made);
    ready.countDown();
  }

  /** Waits until this node knows the policies of the cluster; an IOException if it is closed. */
  public ClusterNode awaitNode() throws IOException {
    try {
      while (!ready.await(JOIN_MILLIS, TimeUnit.MILLISECONDS)) {
        if (closing) {
          throw new IOException("closed before it belonged to a cluster");
        }
        if (raft.join().group(META).isLeader()) {
          PolicyGroup.proposeSecret(store);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    ClusterNode node = new ClusterNode(name, owners, new PeerLink(raft.join()), desk(), clock);
    Mover made = new Mover(owners, node.orders(), store.moves(), clock);
    mover = made;
    made.start();
    return node;
  }

  public PolicyStore store() {
    return store;
  }

  /** The nodes of the cluster; to be asked once {@link #awaitNode} has ended. */
  public Topology topology() {
    return topology;
  }

  /**
   * What goes to other nodes and comes from them; to be asked when {@link #awaitNode} has ended.
   */
  public Traffic traffic() {
    return raft.join().traffic();
  }

  /** What this node decides on: a shard for each group that it owns. */
  public List<Shard> owned() {
    return tenures.owned();
  }

  /** What is wrong with the cluster, as far as this node can tell; null if nothing is. */
  public @Nullable String trouble() {
    return raft.isDone() ? raft.join().trouble() : "cluster: not joined yet";
  }

  /** Why this node is not one of the cluster, not yet or no more; null if it is. */
  public @Nullable String absence() {
    return raft.isDone() ? raft.join().absence() : "cluster: not joined yet";
  }

  /** Why this node cannot write its logs, and so owns nothing; null if it can. */
  public @Nullable String diskTrouble() {
    return raft.isDone() ? raft.join().diskTrouble() : null;
  }

  /** Stops waiting for the others. */
  public void giveUp() {
    closing = true;
  }

  /** Makes everything durable, lets another node own, and leaves. */
  @Override
  public void close() {
    closing = true;
    grower.end();
    topology.end();
    Mover made = mover;
    if (made != null) {
      made.close();
    }
    owned().forEach(Shard::close);
    if (raft.isDone()) {
      raft.join().handOver();
      raft.join().close();
    }
    store.close();
  }

  private record PeerLink(Raft raft) implements Link {
    @Override
    public CompletionStage<byte[]> ask(String node, byte[] question, Duration timeout) {
      return raft.send(node, question, timeout);
    }

    @Override
    public boolean isEstranged() {
      return raft.isEstranged();
    }
  }

  /** The log of the policies, once this node takes part. */
  private final class MetaLog implements MetaProposer.Log {
    @Override
    public @Nullable String leader() {
      return raft.join().group(META).leader();
    }

    @Override
    public CompletionStage<byte[]> propose(byte[] entry, Duration timeout) {
      return raft.join().propose(META, entry, timeout);
    }

    @Override
    public CompletionStage<Void> barrier() {
      return raft.join().group(META).barrier();
    }
  }
}
