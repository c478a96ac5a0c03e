package io.penstock.cluster;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has a node taken into the cluster or out of it by those who lead its groups: asks them until it
 * is so, whoever leads by then. Repeating an order is safe. Thread-safe.
 */
final class Enrolment {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long ORDER_NANOS_MAX = TimeUnit.SECONDS.toNanos(8);

  private final RaftOptions options;
  private final Groups groups;
  private final Belonging belonging;
  private final Doorbell doorbell;

  Enrolment(RaftOptions options, Groups groups, Belonging belonging, Doorbell doorbell) {
    this.options = options;
    this.groups = groups;
    this.belonging = belonging;
    this.doorbell = doorbell;
  }

  /** Takes a node in that is there and asks to be let in; tells the names of all then. */
  CompletionStage<List<String>> add(Peer peer) {
    return doorbell
        .hello(peer)
        .handle(Enrolment::understood)
        .thenCompose(
            hello -> {
              if (hello == null || !hello.self().peer().name().equals(peer.name())) {
                throw new IllegalArgumentException(
                    ("node: %s (expected: one that answers there, started with --node %s, an empty"
                            + " data folder and --peers that list it and a node of the cluster)")
                        .formatted(peer, peer.name()));
              }
              Member member = hello.self().at(peer);
              return round(new Knock(Knock.Wish.ADD, member, true), Seating.Seat.IN, until());
            });
  }

  /** Who has answered; null if nobody has. Who is not understood cannot be taken in. */
  private static @Nullable Hello understood(@Nullable Hello answer, @Nullable Throwable failure) {
    if (failure != null && failure.getCause() instanceof FormatException foreign) {
      throw new IllegalArgumentException(foreign.getMessage());
    }
    return answer;
  }

  /** Takes a node out, dead or alive; tells the names of the others. */
  CompletionStage<List<String>> remove(String name) {
    Membership now = now();
    Member member = now.named(name);
    if (member == null) {
      throw new IllegalArgumentException(
          "node: " + name + " (expected: one of " + String.join(", ", now.names()) + ")");
    }
    return round(new Knock(Knock.Wish.LEAVE, member, true), Seating.Seat.OUT, until());
  }

  private Membership now() {
    Membership now = belonging.membership();
    if (now == null) {
      throw new IllegalArgumentException("cluster: none yet (expected: one that this node is in)");
    }
    return now;
  }

  private CompletionStage<List<String>> round(Knock knock, Seating.Seat wanted, long until) {
    Membership now = now();
    List<Peer> nodes = now.members().stream().map(options::reached).distinct().toList();
    return doorbell
        .ring(now, knock, nodes)
        .thenCompose(
            seating -> {
              String refusal = seating.refusal();
              if (refusal != null) {
                throw new IllegalArgumentException(refusal);
              }
              if (seating.isAll(groups.names(), wanted)) {
                return known(knock.member(), wanted == Seating.Seat.IN, until);
              }
              return isOver(until)
                  ? CompletableFuture.failedFuture(late(knock))
                  : pause().thenCompose(go -> round(knock, wanted, until));
            });
  }

  private long until() {
    return options.clock().nanos() + ORDER_NANOS_MAX;
  }

  private boolean isOver(long until) {
    return options.clock().nanos() - until > 0;
  }

  private CompletionStage<Void> pause() {
    return CompletableFuture.runAsync(() -> {}, options.clock().after(PAUSE_NANOS));
  }

  private static TimeoutException late(Knock knock) {
    return new TimeoutException(
        "node: "
            + knock.member().peer()
            + " (expected: done within 8 s; it may go on: repeat the order to see)");
  }

  /** Waits until everybody who answers knows, the new one too. */
  private CompletionStage<List<String>> known(Member member, boolean isIn, long until) {
    String name = member.peer().name();
    Stream<String> others = now().names().stream().filter(each -> !each.equals(name));
    List<String> names =
        Stream.concat(others, isIn ? Stream.of(name) : Stream.empty()).sorted().toList();
    CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
    for (String each : names) {
      Peer peer = each.equals(name) ? member.peer() : belonging.peer(each);
      all = all.thenCombine(knows(peer, member, isIn), Boolean::logicalAnd);
    }
    return all.thenCompose(
        known ->
            known || isOver(until)
                ? CompletableFuture.completedFuture(names)
                : pause().thenCompose(go -> known(member, isIn, until)));
  }

  private CompletionStage<Boolean> knows(Peer peer, Member member, boolean isIn) {
    return doorbell
        .hello(peer)
        .handle(
            (answer, silent) -> {
              Membership told = silent == null ? answer.membership() : null;
              return told == null || told.has(member.id()) == isIn;
            });
  }
}
