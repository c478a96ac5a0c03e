package io.penstock.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which cluster a node with an empty disk belongs to (R24). Confined to one thread.
 *
 * <p>A cluster is created only when every listed node says that it belongs to none, and by the node
 * whose name is first. Whoever is listed in a cluster by its very incarnation and does not know it
 * yet, joins. Whoever has lost its disk finds another incarnation listed under its name: it must
 * not join as what it was, since it has forgotten how it voted.
 */
final class Bootstrap {
  private static final Duration ANSWER_MAX = Duration.ofMillis(500);

  private final List<Peer> peers;
  private final Member self;
  private final Function<Peer, CompletionStage<byte[]>> asking;

  Bootstrap(List<Peer> peers, Member self, Function<Peer, CompletionStage<byte[]>> asking) {
    this.peers = peers;
    this.self = self;
    this.asking = asking;
  }

  /** The cluster that this node is to join now, or null if that cannot be said yet. */
  @Nullable Membership find() throws IOException, InterruptedException {
    List<Hello> hellos = hellos();
    for (Hello hello : hellos) {
      Membership known = hello.membership();
      if (known != null) {
        if (known.has(self.id())) {
          return known;
        }
        if (known.named(self.peer().name()) != null) {
          throw new IOException(
              "node "
                  + self.peer().name()
                  + ": its data is gone (expected: that which it had in cluster "
                  + known.cluster()
                  + "; it cannot come back as what it was)");
        }
      }
    }
    boolean everybodyIsNew =
        hellos.size() == peers.size() && hellos.stream().allMatch(h -> h.membership() == null);
    String first = peers.stream().map(Peer::name).min(Comparator.naturalOrder()).orElseThrow();
    if (!everybodyIsNew || !first.equals(self.peer().name())) {
      return null;
    }
    return new Membership(UUID.randomUUID(), hellos.stream().map(Hello::self).toList());
  }

  private List<Hello> hellos() throws InterruptedException {
    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
    for (Peer peer : peers) {
      if (!peer.name().equals(self.peer().name())) {
        answers.add(asking.apply(peer).toCompletableFuture());
      }
    }
    List<Hello> hellos = new ArrayList<>();
    hellos.add(new Hello(self, /* wallNanos= */ 0, /* membership= */ null));
    for (CompletableFuture<byte[]> answer : answers) {
      try {
        hellos.add(Hello.read(answer.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)));
      } catch (ExecutionException | TimeoutException e) {
        // Who does not answer has said nothing: then no cluster is created.
      }
    }
    hellos.sort(Comparator.comparing(hello -> hello.self().peer().name()));
    return hellos;
  }
}
