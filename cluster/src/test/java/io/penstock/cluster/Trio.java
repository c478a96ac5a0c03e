package io.penstock.cluster;

import io.penstock.core.Algorithm;
import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Three nodes in one process, on real ports and folders. Confined to the thread of a test. */
final class Trio implements AutoCloseable {
  static final Limit LIMIT = Limit.parse("1/day burst 1000");
  static final String GROUP = "shards";

  /* Kept here, or its level would be forgotten: it tells every setting of every server. */
  private static final Logger RATIS = Logger.getLogger("org.apache.ratis");

  static {
    RATIS.setLevel(Level.SEVERE);
  }

  private static final int PORT_MIN = 10_000;
  private static final int PORT_MAX = 32_000;
  private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** One node; what it owns, if it does. */
  final class Node implements ShardGroup.Owner {
    final String name;
    final Rules rules = new Rules();
    volatile @Nullable Shard shard;
    volatile long term;
    final List<Noted> late = new CopyOnWriteArrayList<>();

    /** What happens when it is about to own for the first time, and what was built then. */
    volatile Consumer<ShardGroup> whileBuilding = group -> {};

    volatile @Nullable Shard firstBuilt;
    final List<Shard> owned = new CopyOnWriteArrayList<>();
    final List<Shard> over = new CopyOnWriteArrayList<>();
    private volatile @Nullable ShardGroup group;
    @Nullable Raft raft;

    private Node(String name) {
      this.name = name;
    }

    void start() throws IOException {
      raft = open(peers, folder());
    }

    private Raft open(List<Peer> listed, Path data) throws IOException {
      ShardOptions options = ShardOptions.of(null, Clock.system(), 8 << 20);
      ShardGroup opened = new ShardGroup(options, rules, this, GROUP, this::raft);
      group = opened;
      RaftOptions own =
          new RaftOptions(
              name, listed, data, Clock.system(), InstantSource.system(), /* tls= */ null);
      return Raft.open(
          own,
          Map.of(GROUP, opened),
          (founded, first, groups) -> late(first, groups),
          CompletableFuture::completedFuture);
    }

    /** Of the groups of shards, those that the cluster was not created with. */
    private List<Replicated> late(int first, List<Group> groups) {
      late.clear();
      groups.stream().skip(first == 0 ? groups.size() : 0).forEach(each -> late.add(new Noted()));
      return List.copyOf(late);
    }

    Path folder() {
      return folder.resolve(name);
    }

    /** Takes its disk from it; where that is now. */
    Path wipe() throws IOException {
      stop();
      Path taken = folder.resolve(name + "-taken-" + wiped++);
      return Files.move(folder(), taken);
    }

    /** Whether this node is in the cluster and knows nothing wrong. */
    boolean isWell() {
      return raft().trouble() == null;
    }

    Raft raft() {
      Raft open = raft;
      if (open == null) {
        throw new IllegalStateException(name + ": not started");
      }
      return open;
    }

    void stop() {
      Raft open = raft;
      raft = null;
      if (open != null) {
        open.close();
      }
    }

    @Override
    public Shard build(Supplier<Shard> building) {
      Consumer<ShardGroup> now = whileBuilding;
      whileBuilding = any -> {};
      now.accept(Objects.requireNonNull(group));
      Shard built = building.get();
      if (firstBuilt == null) {
        firstBuilt = built;
      }
      return built;
    }

    @Override
    public void owns(Shard begun, long ownedTerm) {
      term = ownedTerm;
      shard = begun;
      owned.add(begun);
    }

    @Override
    public void isOver(Shard ended) {
      over.add(ended);
      shard = null;
    }

    /** Takes units of a key strictly; null if that is not known. */
    @Nullable Boolean take(long key, long cost) {
      Shard now = shard;
      if (now == null) {
        return null;
      }
      CompletableFuture<Boolean> kept = new CompletableFuture<>();
      Turn turn = new Turn();
      long generation = now.enter();
      try {
        Rule rule = rules.shared(LIMIT, Algorithm.GCRA);
        now.table().play(turn.of(key, rule, now.clock().nanos()).asks(cost));
      } finally {
        now.leave(generation);
      }
      boolean allowed = turn.step().allowed();
      now.whenDurable(generation, kept::complete);
      return kept.join() ? allowed : null;
    }

    long used(long key) {
      Shard now = shard;
      if (now == null) {
        throw new IllegalStateException(name + ": not the owner");
      }
      Turn turn = new Turn();
      Rule rule = rules.shared(LIMIT, Algorithm.GCRA);
      now.table().play(turn.of(key, rule, now.clock().nanos()).asks(0));
      return LIMIT.capacity() - turn.step().remaining();
    }
  }

  final List<Node> nodes = new ArrayList<>();
  private final List<Peer> peers = new ArrayList<>();
  private final Path folder;
  private int wiped;

  Trio(Path folder) {
    this.folder = folder;
    for (String name : List.of("n1", "n2", "n3")) {
      nodes.add(new Node(name));
    }
    move();
  }

  void start() throws IOException {
    for (Node node : nodes) {
      node.start();
    }
  }

  /** One more node, which lists all; the others do not list it until they are started again. */
  Node another(String name) {
    Node node = new Node(name);
    nodes.add(node);
    peers.add(new Peer(name, "127.0.0.1", freePort()));
    return node;
  }

  /** Another one under the name of a node, at an address and on a disk of its own. */
  Raft claiming(Node node) throws IOException {
    List<Peer> listed = new ArrayList<>(peers);
    listed.set(nodes.indexOf(node), new Peer(node.name, "127.0.0.1", freePort()));
    return new Node(node.name).open(listed, folder.resolve("claiming"));
  }

  Peer peer(Node node) {
    return peers.get(nodes.indexOf(node));
  }

  /** Those that are not one of some. */
  List<Node> without(Node... some) {
    return nodes.stream().filter(node -> !List.of(some).contains(node)).toList();
  }

  /** Gives every node another address, from its next start on. */
  void move() {
    peers.clear();
    for (Node node : nodes) {
      peers.add(new Peer(node.name, "127.0.0.1", freePort()));
    }
  }

  /* Below those that a system gives to outgoing calls, which could take that of a stopped node. */
  static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (IOException e) {
        // Somebody has it: another one.
      }
    }
  }

  /** The node that owns, when one does. */
  Node owner() {
    await(() -> nodes.stream().anyMatch(node -> node.raft != null && node.shard != null));
    return nodes.stream()
        .filter(node -> node.raft != null && node.shard != null)
        .max(Comparator.comparingLong(node -> node.term))
        .orElseThrow();
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + AWAIT_NANOS_MAX;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not come about in time");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void close() {
    nodes.forEach(Node::stop);
  }
}
