package io.penstock.server;

import io.penstock.core.Clock;
import io.penstock.server.cluster.Alone;
import io.penstock.server.cluster.Cluster;
import io.penstock.server.cluster.ClusterNode;
import io.penstock.server.cluster.Thermometer;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.ServerConfig.Storage;
import io.penstock.server.node.Heat;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Health;
import io.penstock.server.ops.Health.Phase;
import io.penstock.server.ops.Metrics;
import io.penstock.server.policy.Expected;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyFile;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.TlsConfig;
import io.penstock.shard.FolderLock;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One server: all its parts, from the data folder to the protocols. Thread-safe. */
public final class Server implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Server.class.getName());
  static final String POLICIES_NAME = "policies.db";

  private static final String DEMO_POLICY = "{\"limits\":[\"5/min\"]}";

  private final ServerConfig config;
  private final Health health;
  private final Metrics metrics;
  private final InstantSource wallClock = new WallClock();
  private final Clock decisions;

  /** What was opened, the last first. */
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable Addresses addresses;
  private volatile @Nullable Cluster joining;

  public Server(ServerConfig config) {
    this.config = config;
    this.health = new Health(config.node());
    this.metrics = new Metrics(Clock.system()::nanos, config.reports().traces());
    this.decisions = config.clock() == null ? Clock.system() : FileClock.of(config.clock());
  }

  /** Starts everything; when this returns, every protocol answers. */
  public synchronized void start() throws IOException {
    try {
      LOG.log(Level.INFO, "settings\n" + String.join("\n", config.effective()));
      open();
      health.enter(Phase.READY);
      LOG.log(Level.INFO, "ready");
      settleHeap();
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Moves what starting has left on the heap once, before anybody asks much: otherwise the first
   * collections under load do, each for tens of milliseconds.
   */
  private static void settleHeap() {
    Thread thread = new Thread(System::gc, "heap");
    thread.setDaemon(true);
    thread.start();
  }

  private void open() throws IOException {
    FileWatch watch = opened(new FileWatch());
    Gatekeeper gatekeeper = Gatekeeper.of(config.access(), wallClock, watch);
    TlsConfig tls = TlsConfig.of(config.tls(), watch);
    watch.start();
    health.watch("files", watch::trouble);

    takeFolder();
    Fronts fronts =
        opened(new Fronts(config, new Parts(gatekeeper, tls, health, metrics, wallClock)));
    fronts.listen();
    if (!config.peers().isEmpty()) {
      openCluster(fronts, tls);
      return;
    }
    Inventory inventory = takeInventory();
    Shard shard = openShard();
    WatchThread policies = opened(new WatchThread("policy-watch"));
    PolicyStore store = openStore(policies);
    store.boundKeys(config.bounds().keyLength());
    Node.Secret secret = SecretFile.of(config.storage().data(), inventory);
    Node node = new LocalNode(config.node(), shard, secret);
    load(store, node, policies);
    inventory.add(shard.discarded().damage());
    String damage = store.loss();
    if (damage != null) {
      inventory.addDamage(POLICIES_NAME, damage);
    }
    Gauges.of(metrics, () -> List.of(shard), node);
    start(fronts, new Core(node, store, new Alone(config.node(), node.policies().heat())));
  }

  /** Whoever cannot have the data folder is refused before a client finds a port open. */
  private void takeFolder() {
    FolderLock lock = FolderLock.take(config.storage().data());
    if (config.peers().isEmpty()) {
      /* The shard takes it again when it is opened. */
      lock.close();
    } else {
      opened(lock);
    }
  }

  private void openCluster(Fronts fronts, @Nullable TlsConfig tls) throws IOException {
    Path data = config.storage().data();
    Path policies = data.resolve(POLICIES_NAME);
    Cluster cluster =
        opened(
            Cluster.open(config, policies, decisions, wallClock, tls == null ? null : tls.peers()));
    joining = cluster;
    health.watch("cluster", cluster::trouble);
    health.watch("disk", cluster::diskTrouble);
    health.readyWithout(cluster::absence);
    health.watch("policy-store", cluster.store()::trouble);
    cluster.store().boundKeys(config.bounds().keyLength());
    ClusterNode node = cluster.awaitNode();
    Gauges.of(metrics, cluster::owned, node);
    Gauges.ofCluster(metrics, cluster.topology(), node.tally(), cluster.traffic());
    metrics.gauge(
        "penstock.cluster.log.writable",
        "1 if this node can write its logs.",
        () -> cluster.diskTrouble() == null ? 1 : 0);
    start(fronts, new Core(node, cluster.store(), cluster.topology()));
  }

  private void start(Fronts fronts, Core core) throws IOException {
    Heat heat = core.node().policies().heat();
    Gauges.ofHeat(metrics, heat, core.topology());
    opened(new Thermometer(heat, core.topology(), Clock.system())).begin();
    // From here on they end first, so that all that they answered is durable in the end.
    opened.remove(fronts);
    opened.push(fronts);
    fronts.start(core);
    addresses = fronts.addresses();
  }

  /** What is gone is said until the next start, which finds everything in its place. */
  private Inventory takeInventory() throws IOException {
    Path folder = config.storage().data();
    Inventory inventory = Inventory.of(folder);
    String loss = inventory.loss();
    if (loss != null) {
      LOG.log(Level.ERROR, folder + ": " + loss);
    }
    health.watch("data", inventory::loss);
    return inventory;
  }

  private Shard openShard() {
    Storage storage = config.storage();
    ShardOptions usual = ShardOptions.of(storage.data(), Clock.system(), storage.memoryBytes());
    ShardOptions options = usual.by(decisions).withIds(storage.dedupWindow(), storage.dedupBytes());
    Shard shard = opened(Shard.open(options));
    health.watch("disk", shard::trouble);
    return shard;
  }

  private PolicyStore openStore(WatchThread watch) {
    Path file = config.storage().data().resolve(POLICIES_NAME);
    PolicyStore store = opened(PolicyStore.open(file, wallClock));
    store.start(watch.timer());
    health.watch("policy-store", store::trouble);
    return store;
  }

  private void load(PolicyStore store, Node node, WatchThread watch) {
    node.policies().load(store::forEachCurrent);
    node.policies().loadPast(store::forEachPast);
    store.planBy(node.policies()::counters);
    store.onChange(node.policies()::apply);
    Path file = config.storage().policies();
    if (file != null) {
      PolicyFile policies = new PolicyFile(file, store, wallClock);
      health.watch("policy-file", policies::trouble);
      health.tell("policy-file", policies::progress);
      policies.start(watch.timer());
      metrics.gauge(
          "penstock.policy.file.trouble",
          "1 if the newest policy file is not in force.",
          () -> policies.trouble() == null ? 0 : 1);
    } else if (store.revision() == 0) {
      demo(store);
    }
  }

  /** Whoever just wants to see it needs something to see. Of a cluster, only who creates it. */
  private static void demo(PolicyStore store) {
    store.put(Kind.POLICY, Addresses.DEMO_SCOPE, DEMO_POLICY, new Expected.Absent(), "penstock");
  }

  private <T extends AutoCloseable> T opened(T part) {
    opened.push(part);
    return part;
  }

  /** Where it is to be found. */
  public synchronized Addresses addresses() {
    if (addresses == null) {
      throw new IllegalStateException("not started");
    }
    return addresses;
  }

  /** Waits until {@link #close} has ended. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Takes nothing more, answers what was asked, makes everything durable, and ends. */
  @Override
  public void close() {
    Cluster waiting = joining;
    if (waiting != null) {
      waiting.giveUp();
    }
    end();
  }

  private synchronized void end() {
    if (ended.getCount() == 0) {
      return;
    }
    health.enter(Phase.DRAINING);
    while (!opened.isEmpty()) {
      AutoCloseable part = opened.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.log(Level.ERROR, "not closed well: " + part.getClass().getSimpleName(), e);
      }
    }
    LOG.log(Level.INFO, "ended");
    ended.countDown();
  }
}
