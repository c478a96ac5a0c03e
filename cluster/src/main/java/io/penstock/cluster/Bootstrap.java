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
 * Finds out which cluster a node with an empty disk is to belong to (R24). Confined to one thread.
 *
 * <p>A cluster is created only when every listed node says that it belongs to none, and by the node
 * whose name is first. Otherwise it is the one that others know. Whoever is listed in it by its
 * very incarnation and does not know it yet, has founded it with them. Whoever has lost its disk
 * finds another incarnation under its name: it must not come back as what it was, since it has
 * forgotten how it voted.
 */
final class Bootstrap {
  private static final Duration ANSWER_MAX = Duration.ofMillis(500);

  private final List<Peer> peers;
  private final Member self;
  private final Function<Peer, CompletionStage<Hello>> asking;

  Bootstrap(List<Peer> peers, Member self, Function<Peer, CompletionStage<Hello>> asking) {
    this.peers = peers;
    this.self = self;
    this.asking = asking;
  }

  /** The cluster that others know, or a new one; null if that cannot be said yet. */
  @Nullable Membership find() throws IOException, InterruptedException {
    List<Hello> hellos = hellos();
    Membership known = null;
    for (Hello hello : hellos) {
      Membership told = hello.membership();
      if (told != null && (known == null || told.has(self.id()))) {
        known = told;
      }
    }
    for (Hello hello : hellos) {
      Membership told = hello.membership();
      if (told != null && known != null && told.cluster().equals(known.cluster())) {
        known = known.grown(told.grownTo());
      }
    }
    boolean everybodyIsNew = known == null && hellos.size() == peers.size() - 1;
    if (everybodyIsNew && peers.size() % 2 == 0) {
      throw new IOException(
          "peers: " + peers.size() + " nodes (expected: an odd number, to create a cluster)");
    }
    String first = peers.stream().map(Peer::name).min(Comparator.naturalOrder()).orElseThrow();
    return everybodyIsNew && first.equals(self.peer().name()) ? founded(hellos) : known;
  }

  private Membership founded(List<Hello> hellos) {
    List<Member> members = new ArrayList<>(hellos.stream().map(Hello::self).toList());
    members.add(self);
    members.sort(Comparator.comparing(Member::id));
    return new Membership(
        UUID.randomUUID(), members.size(), /* grownTo= */ 0, List.copyOf(members));
  }

  /** What the others say, of those who answer. */
  private List<Hello> hellos() throws InterruptedException {
    List<CompletableFuture<Hello>> answers = new ArrayList<>();
    for (Peer peer : peers) {
      if (!peer.name().equals(self.peer().name())) {
        answers.add(asking.apply(peer).toCompletableFuture());
      }
    }
    List<Hello> hellos = new ArrayList<>();
    for (CompletableFuture<Hello> answer : answers) {
      try {
        hellos.add(answer.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS));
      } catch (ExecutionException | TimeoutException e) {
        // Who does not answer, or not so that it is understood, has said nothing: then no cluster
        // is created.
      }
    }
    return hellos;
  }
}
