package io.penstock.server.cluster;

import io.penstock.cluster.Peer;
import io.penstock.cluster.Raft;
import io.penstock.core.Clock;
import io.penstock.server.node.Asker;
import io.penstock.server.node.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of a cluster among the others: tells how it is, and asks them the same. Thread-safe. */
final class ClusterTopology implements Topology {
  /** Tells these questions from those that only an owner answers. */
  private static final int FORMAT = 2;

  private static final Duration STATE_MAX = Duration.ofMillis(500);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(9);

  private enum Wish {
    TELL,
    DRAIN
  }

  private final String name;
  private final Supplier<Raft> raft;
  private final List<String> groups;
  private final Drain drain;

  /**
   * One of the nodes.
   *
   * @param raft this node's part in the cluster, once it is open
   * @param groups the names of all groups
   */
  ClusterTopology(String name, Supplier<Raft> raft, List<String> groups, Clock clock) {
    this.name = name;
    this.raft = raft;
    this.groups = groups;
    this.drain = new Drain(new OwnSeats(), clock);
  }

  /** Does not drain any more: the process ends. */
  void end() {
    drain.end();
  }

  @Override
  public String node() {
    return name;
  }

  @Override
  public @Nullable String cluster() {
    return raft.get().cluster();
  }

  @Override
  public List<Standing> groups() {
    return groups.stream().map(this::group).toList();
  }

  @Override
  public Standing group(String group) {
    return Standing.of(raft.get().group(group));
  }

  private List<String> names() {
    return groups().stream().flatMap(each -> each.replicas().stream()).distinct().sorted().toList();
  }

  @Override
  public void nodes(Asker<List<NodeState>> done) {
    var unused = states().thenAccept(done);
  }

  private CompletionStage<List<NodeState>> states() {
    List<CompletableFuture<NodeState>> asked = names().stream().map(this::state).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<NodeState> state(String node) {
    return node.equals(name)
        ? CompletableFuture.completedFuture(own())
        : asked(node, Wish.TELL, STATE_MAX).exceptionally(gone -> NodeState.unreachable(node));
  }

  private NodeState own() {
    return new NodeState(
        name, /* reachable= */ true, drain.isBegun(), /* clockOffsetMillis= */ 0L, groups());
  }

  @Override
  public void drain(String node, Asker<NodeState> done) {
    if (!names().contains(node)) {
      throw new IllegalArgumentException(
          "node: " + node + " (expected: one of " + String.join(", ", names()) + ")");
    }
    CompletionStage<NodeState> drained =
        node.equals(name)
            ? drain.begin().thenApply(given -> own())
            : asked(node, Wish.DRAIN, DRAIN_MAX);
    var unused =
        drained.whenComplete(
            (state, failure) -> {
              if (failure == null) {
                done.accept(state);
              } else {
                done.fail(new UnavailableException("node: " + node + " (expected: an answer)"));
              }
            });
  }

  @Override
  public void add(String node, Asker<List<String>> done) {
    Peer peer;
    try {
      peer = Peer.parse(node);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("node: " + node + " (expected: " + e.getMessage() + ")");
    }
    told(raft.get().add(peer), done);
  }

  @Override
  public void remove(String node, Asker<List<String>> done) {
    told(raft.get().remove(node), done);
  }

  private static void told(CompletionStage<List<String>> order, Asker<List<String>> done) {
    var unused =
        order.whenComplete(
            (names, failure) -> {
              Throwable cause =
                  failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
              if (cause == null) {
                done.accept(names);
              } else if (cause instanceof IllegalArgumentException refusal) {
                done.fail(refusal);
              } else {
                done.fail(new UnavailableException(String.valueOf(cause.getMessage())));
              }
            });
  }

  private CompletableFuture<NodeState> asked(String node, Wish wish, Duration timeout) {
    byte[] question = new Packing().number(FORMAT).word(wish).done();
    return raft.get()
        .forward(node, question, timeout)
        .thenApply(bytes -> read(node, bytes))
        .toCompletableFuture();
  }

  private NodeState read(String node, byte[] bytes) {
    Unpacking in = new Unpacking(bytes);
    boolean draining = in.truth("draining");
    List<Standing> groups = in.list("groups", Standing::read);
    in.end();
    return new NodeState(node, /* reachable= */ true, draining, offsetMillis(node), groups);
  }

  private @Nullable Long offsetMillis(String node) {
    Long ahead = raft.get().aheadNanos(node);
    return ahead == null ? null : Long.valueOf(TimeUnit.NANOSECONDS.toMillis(ahead));
  }

  /** Whether a question of another node is for this, and not for an owner. */
  static boolean isMeant(byte[] question) {
    return question.length > 0 && question[0] == FORMAT;
  }

  /** What another node is told. */
  CompletionStage<byte[]> answer(byte[] question) {
    Unpacking in = new Unpacking(question);
    in.number("format");
    Wish wish = in.word("wish", Wish.class);
    in.end();
    return switch (wish) {
      case TELL -> CompletableFuture.completedFuture(told());
      case DRAIN -> drain.begin().thenApply(given -> told());
    };
  }

  private byte[] told() {
    return new Packing().truth(drain.isBegun()).list(groups(), Standing::write).done();
  }

  private final class OwnSeats implements Drain.Seats {
    @Override
    public List<String> led() {
      return own().leads();
    }

    @Override
    public CompletionStage<Set<String>> heirs() {
      return states().thenApply(all -> Drain.heirs(name, all, raft.get()::isOnTime));
    }

    @Override
    public CompletionStage<?> giveAway(String group, Set<String> heirs) {
      return raft.get().group(group).giveAway(heirs::contains);
    }
  }
}
