package io.penstock.cluster;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.jspecify.annotations.Nullable;

/** This node's part in a cluster: its groups, and the way to the other nodes. Thread-safe. */
public final class Raft implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Raft.class.getName());
  private static final Duration HELLO_MAX = Duration.ofMillis(500);
  private static final long BOOTSTRAP_MILLIS = 200;

  /** Answers what other nodes forward to this one. Must not block. */
  @FunctionalInterface
  public interface Desk {
    CompletionStage<byte[]> answer(byte[] question);
  }

  private final RaftOptions options;
  private final Peer self;
  private final Desk desk;
  private final Groups groups;
  private final Neighbours neighbours;
  private final Calls calls;
  private final CountDownLatch joined = new CountDownLatch(1);
  private final Thread bootstrap = new Thread(this::bootstrap, "penstock-bootstrap");
  private volatile Identity identity;
  private volatile boolean closing;
  private volatile @Nullable String trouble;
  private @Nullable RaftServer server;

  private Raft(RaftOptions options, Map<String, Replicated> replicated, Desk desk)
      throws IOException {
    this.options = options;
    this.self = options.self();
    this.desk = desk;
    this.calls = new Calls(options.clock(), options.tls());
    this.neighbours =
        new Neighbours(options.others(), options.clock(), this::hello, this::giveAway);
    Files.createDirectories(options.folder());
    this.identity = Identity.open(options.folder(), self.name());
    this.groups = new Groups(replicated);
  }

  /**
   * Starts this node's part. Its groups open as soon as it is known which cluster it belongs to.
   *
   * @param replicated what each group replicates, by the group's name
   */
  public static Raft open(RaftOptions options, Map<String, Replicated> replicated, Desk desk)
      throws IOException {
    Raft raft = new Raft(options, replicated, desk);
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
    Membership known = identity.membership();
    if (identity.isJoined() && known != null && !Files.exists(storage)) {
      throw new IOException(
          storage + ": gone (expected: what this node has promised; remove " + Identity.FILE + ")");
    }
    if (known != null) {
      groups.know(known);
    }
    RaftServer raft =
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(identity.member(self).id()))
            .setStateMachineRegistry(groups::machine)
            .setProperties(Tuning.of(options.folder(), self))
            .setParameters(
                Tuning.parameters(port -> calls.offer(port, this::answer), options.tls()))
            .setOption(StartupOption.RECOVER)
            .build();
    server = raft;
    if (known != null) {
      /* Raft keeps the first address it hears; the log tells those that were in force once. */
      raft.getServerRpc().addRaftPeers(Groups.peers(known, options));
    }
    raft.start();
    neighbours.start();
    if (known != null) {
      join(known);
    } else {
      bootstrap.setDaemon(true);
      bootstrap.start();
    }
  }

  /** Joins a cluster that lists this node, once. */
  private synchronized void join(Membership membership) throws IOException {
    RaftServer raft = server;
    if (raft == null || joined.getCount() == 0 || closing) {
      return;
    }
    Membership before = identity.membership();
    if (before == null) {
      identity = identity.of(membership);
      identity.write(options.folder());
      groups.know(membership);
    } else if (!before.cluster().equals(membership.cluster())) {
      throw new IOException("cluster: " + membership.cluster() + " (expected: " + before + ")");
    }
    groups.open(raft, membership, options);
    if (!identity.isJoined()) {
      identity = identity.joined();
      identity.write(options.folder());
    }
    joined.countDown();
    LOG.log(INFO, "node {0} belongs to cluster {1}", self.name(), membership.cluster());
  }

  /** The id of the cluster; null as long as this node belongs to none. */
  public @Nullable String cluster() {
    Membership membership = identity.membership();
    return membership == null ? null : membership.cluster().toString();
  }

  /** One of this node's groups. */
  public Group group(String name) {
    return groups.get(name);
  }

  private void bootstrap() {
    Bootstrap finding = new Bootstrap(options.peers(), identity.member(self), this::hello);
    try {
      while (!closing && joined.getCount() > 0) {
        try {
          Membership found = finding.find();
          if (found != null) {
            invite(found);
            join(found);
          }
          trouble = null;
        } catch (IOException e) {
          say(e);
        }
        joined.await(BOOTSTRAP_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletionStage<byte[]> hello(Peer peer) {
    return calls.ask(peer, Letter.of(Letter.Kind.HELLO, new byte[0]), HELLO_MAX);
  }

  /** A node whose clock is off leads nothing that a node on time could lead (R15). */
  private void giveAway() {
    groups.giveAway(neighbours::isOnTime);
  }

  /** How far the clocks of other nodes are ahead of ours, of those who answer. */
  long[] aheadNanos() {
    return neighbours.aheadNanos();
  }

  /** How far the clock of another node is ahead of ours; null if it does not answer. */
  public @Nullable Long aheadNanos(String node) {
    return neighbours.aheadNanos(node);
  }

  private void say(IOException cause) {
    if (!String.valueOf(cause.getMessage()).equals(trouble)) {
      LOG.log(ERROR, cause.getMessage());
    }
    trouble = cause.getMessage();
  }

  /** Tells the others of a cluster; who does not hear it will ask. */
  private void invite(Membership membership) {
    byte[] text = membership.toString().getBytes(UTF_8);
    for (Member member : membership.members()) {
      if (!member.peer().name().equals(self.name())) {
        calls.ask(options.reached(member), Letter.of(Letter.Kind.JOIN, text), HELLO_MAX);
      }
    }
  }

  private CompletionStage<byte[]> answer(byte[] question) {
    try {
      Letter letter = Letter.read(question);
      return switch (letter.kind()) {
        case HELLO -> CompletableFuture.completedFuture(hello().write());
        case JOIN -> invited(Membership.parse(new String(letter.rest(), UTF_8)));
        case PROPOSE ->
            group(letter.of(identity.known()).group()).appendForAll(letter.text().slice());
        case FORWARD -> desk.answer(letter.of(identity.known()).rest());
      };
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Hello hello() {
    return new Hello(identity.member(self), options.clock().nanos(), identity.membership());
  }

  private CompletionStage<byte[]> invited(Membership membership) throws IOException {
    if (membership.has(identity.member(self).id())) {
      join(membership);
    }
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
    if (leader.equals(self.name())) {
      return group(group).appendForAll(ByteBuffer.wrap(entry));
    }
    return calls.ask(peer(leader), Letter.proposal(identity.known(), group, entry), timeout);
  }

  /** Asks the desk of another node. */
  public CompletionStage<byte[]> forward(String node, byte[] question, Duration timeout) {
    return calls.ask(peer(node), Letter.forward(identity.known(), question), timeout);
  }

  /**
   * Asks the desk of another node, together with whatever else it is asked at the time.
   *
   * @param timeout after which the answer is of no use; the failure may come later
   */
  public CompletionStage<byte[]> send(String node, byte[] question, Duration timeout) {
    return calls.talk(peer(node), Letter.forward(identity.known(), question), timeout);
  }

  /** What goes to other nodes and comes from them. */
  public Traffic traffic() {
    return calls.traffic();
  }

  private Peer peer(String name) {
    return options.reached(identity.known().member(name));
  }

  /** What is wrong with the cluster as this node sees it, or null. */
  public @Nullable String trouble() {
    String known = trouble;
    if (known != null) {
      return known;
    }
    if (joined.getCount() > 0) {
      return "cluster: not joined yet (expected: every node of peers to answer)";
    }
    String leaderless = groups.leaderless();
    return leaderless == null || !neighbours.silent().isEmpty()
        ? neighbours.trouble()
        : "group " + leaderless + ": no leader (expected: one, elected by most nodes)";
  }

  @Override
  public void close() {
    closing = true;
    bootstrap.interrupt();
    try {
      RaftServer raft;
      synchronized (this) {
        raft = server;
      }
      if (raft != null) {
        raft.close();
      }
    } catch (IOException e) {
      LOG.log(ERROR, "not closed well", e);
    }
    neighbours.close();
    calls.close();
    groups.close();
  }
}
