package io.penstock.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/** Asks other nodes who they are, and those who lead whether somebody may come in. Thread-safe. */
final class Doorbell {
  private static final Duration HELLO_MAX = Duration.ofMillis(500);
  private static final Duration KNOCK_MAX = Duration.ofSeconds(1);

  private final String self;
  private final Calls calls;
  private final Function<Knock, CompletionStage<Seating>> own;

  /**
   * The bell of a node.
   *
   * @param self its name
   * @param own answers for the groups that it leads itself
   */
  Doorbell(String self, Calls calls, Function<Knock, CompletionStage<Seating>> own) {
    this.self = self;
    this.calls = calls;
    this.own = own;
  }

  /** Who a node is; a {@link FormatException} if one of both does not understand the other. */
  CompletionStage<Hello> hello(Peer peer) {
    return calls
        .ask(peer, Letter.of(Letter.Kind.HELLO, new byte[0]), HELLO_MAX)
        .thenApply(Hello::read);
  }

  /** Those who do not answer, or not as who they are, by name. */
  CompletionStage<List<String>> absent(Collection<Member> members) {
    CompletableFuture<List<String>> absent = CompletableFuture.completedFuture(List.of());
    for (Member member : members) {
      absent = absent.thenCombine(isThere(member), (names, is) -> is ? names : plus(names, member));
    }
    return absent;
  }

  private CompletionStage<Boolean> isThere(Member member) {
    return member.peer().name().equals(self)
        ? CompletableFuture.completedFuture(true)
        : hello(member.peer())
            .handle((answer, silent) -> silent == null && answer.self().id().equals(member.id()));
  }

  private static List<String> plus(List<String> names, Member member) {
    return Stream.concat(names.stream(), Stream.of(member.peer().name())).toList();
  }

  /** Tells a node of the cluster that it has founded together with this one. */
  void invite(Peer peer, byte[] membership) {
    calls.ask(peer, Letter.of(Letter.Kind.JOIN, membership), HELLO_MAX);
  }

  /** What those nodes of a cluster say who lead; nothing of whoever does not answer. */
  CompletionStage<Seating> ring(Membership cluster, Knock knock, Collection<Peer> at) {
    List<CompletableFuture<Seating>> asked =
        at.stream().distinct().map(peer -> ring(cluster, knock, peer)).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all ->
                asked.stream()
                    .map(CompletableFuture::join)
                    .reduce(Seating.NONE, (one, other) -> one.and(other)));
  }

  private CompletableFuture<Seating> ring(Membership cluster, Knock knock, Peer peer) {
    CompletionStage<Seating> answer =
        peer.name().equals(self)
            ? own.apply(knock)
            : calls.ask(peer, Letter.knock(cluster, knock), KNOCK_MAX).thenApply(Seating::read);
    return answer.exceptionally(silent -> Seating.NONE).toCompletableFuture();
  }
}
