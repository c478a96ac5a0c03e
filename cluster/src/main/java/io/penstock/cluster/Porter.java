package io.penstock.cluster;

import static java.lang.System.Logger.Level.INFO;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.ratis.protocol.RaftPeer;
import org.jspecify.annotations.Nullable;

/** Lets members in and out of the groups that this node leads, one at a time. Thread-safe. */
final class Porter {
  private static final System.Logger LOG = System.getLogger(Porter.class.getName());

  /** A question as one group takes it, and who of its members does not answer by now. */
  private record Case(Group group, Knock knock, List<String> absent) {}

  private final RaftOptions options;
  private final Groups groups;
  private final Supplier<Doorbell> doorbell;
  private final Set<String> changing = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Member invited;

  /**
   * The porter of a node.
   *
   * @param doorbell asks other nodes who they are
   */
  Porter(RaftOptions options, Groups groups, Supplier<Doorbell> doorbell) {
    this.options = options;
    this.groups = groups;
    this.doorbell = doorbell;
  }

  /** Where a member stands in the groups that this node leads, and begins what is wished. */
  CompletionStage<Seating> answer(Knock knock) {
    Member member = knock.member();
    if (groups.members().stream().anyMatch(each -> isNamed(each, member))) {
      groups.meet(member.at(options.reached(member)));
    }
    CompletableFuture<Seating> all = CompletableFuture.completedFuture(Seating.NONE);
    for (Group group : groups.all()) {
      if (group.isLeader()) {
        all = all.thenCombine(seat(group, knock), Seating::and);
      }
    }
    return all;
  }

  private static boolean isNamed(Member one, Member other) {
    return one.peer().name().equals(other.peer().name());
  }

  /* Whoever was replaced as the leader and does not know it yet is not listened to. */
  private CompletionStage<Seating> seat(Group group, Knock knock) {
    return group
        .barrier()
        .thenCompose(leads -> verified(knock))
        .thenCompose(itself -> absent(group, knock))
        .thenApply(absent -> Seating.of(group.name(), decide(new Case(group, knock, absent))))
        .exceptionally(
            failure ->
                failure.getCause() instanceof IllegalArgumentException refusal
                    ? Seating.refused(refusal.getMessage())
                    : Seating.NONE);
  }

  /* Asked now: a change that would leave too few is refused, and what was heard last is old. */
  private CompletionStage<List<String>> absent(Group group, Knock knock) {
    boolean matters = knock.wish() == Knock.Wish.ADD || knock.wish() == Knock.Wish.LEAVE;
    List<Member> members = matters ? group.roster().members() : List.of();
    return doorbell
        .get()
        .absent(members.stream().map(each -> each.at(options.reached(each))).toList());
  }

  private Seating.Seat decide(Case now) {
    Group group = now.group;
    Knock knock = now.knock;
    if (!group.roster().isSettled() || changing.contains(group.name())) {
      return Seating.Seat.CHANGING;
    }
    Member there = null;
    for (Member each : group.roster().members()) {
      there = isNamed(each, knock.member()) ? each : there;
    }
    boolean isIn = there != null && there.id().equals(knock.member().id());
    return switch (knock.wish()) {
      case ASK -> isIn ? Seating.Seat.IN : Seating.Seat.OUT;
      case JOIN -> isIn ? Seating.Seat.IN : join(group, knock, there);
      case ADD -> isIn ? Seating.Seat.IN : add(now, there);
      case LEAVE -> there == null ? Seating.Seat.OUT : leave(now, there);
    };
  }

  /* Who lives under this name is not replaced by another who claims it. */
  private CompletionStage<Void> verified(Knock knock) {
    Member coming = knock.wish() == Knock.Wish.JOIN && knock.isReady() ? added(knock) : null;
    return coming == null
        ? CompletableFuture.completedFuture(null)
        : doorbell
            .get()
            .hello(coming.peer())
            .thenAccept(
                answer -> {
                  String id = answer.self().id();
                  if (!id.equals(coming.id())) {
                    throw new IllegalArgumentException(
                        "node: " + coming + " (expected: " + id + ", which answers there)");
                  }
                });
  }

  /** Lets in whoever was in under another incarnation, or was added, when it is ready. */
  private Seating.Seat join(Group group, Knock knock, @Nullable Member there) {
    Member coming = added(knock);
    if (coming == null) {
      return Seating.Seat.OUT;
    }
    if (!knock.isReady()) {
      return Seating.Seat.WELCOME;
    }
    change(group, there, coming);
    return Seating.Seat.CHANGING;
  }

  /** Whoever knocks, where it is reached, if it may come in; else null. */
  private @Nullable Member added(Knock knock) {
    Member member = knock.member();
    Member expected = invited;
    if (expected != null && expected.id().equals(member.id())) {
      return expected;
    }
    boolean isKnown = groups.members().stream().anyMatch(each -> isNamed(each, member));
    return isKnown ? member.at(options.reached(member)) : null;
  }

  private Seating.Seat add(Case now, @Nullable Member there) {
    Member member = now.knock.member();
    List<String> names = now.group.replicas();
    if (there != null) {
      throw new IllegalArgumentException(
          "node: "
              + member.peer()
              + " (expected: a name that is not in the cluster: "
              + names
              + ")");
    }
    if (names.size() == Peer.PEERS_MAX) {
      throw new IllegalArgumentException(
          "nodes: " + names.size() + " (expected: at most " + Peer.PEERS_MAX + ")");
    }
    List<String> next = new ArrayList<>(names);
    next.add(member.peer().name());
    requireMajority(next, now.absent);
    invited = member;
    return Seating.Seat.WELCOME;
  }

  private Seating.Seat leave(Case now, Member member) {
    Group group = now.group;
    String name = member.peer().name();
    List<String> rest = new ArrayList<>(group.replicas());
    rest.remove(name);
    requireMajority(rest, now.absent);
    if (name.equals(options.node())) {
      changing.add(group.name());
      var unused =
          group
              .giveAway(heir -> !now.absent.contains(heir))
              .whenComplete((given, failure) -> changing.remove(group.name()));
    } else {
      change(group, member, /* coming= */ null);
    }
    return Seating.Seat.CHANGING;
  }

  private static void requireMajority(List<String> names, List<String> absent) {
    List<String> there = names.stream().filter(name -> !absent.contains(name)).toList();
    if (2 * there.size() <= names.size()) {
      throw new IllegalArgumentException(
          "nodes that answer: %s (expected: most of those that would be in: %s)"
              .formatted(there, names));
    }
  }

  /** Replaces a member, or takes one in or out. */
  private void change(Group group, @Nullable Member going, @Nullable Member coming) {
    if (!changing.add(group.name())) {
      return;
    }
    var unused =
        configure(group, going, coming)
            .whenComplete(
                (done, failure) -> {
                  changing.remove(group.name());
                  String told = failure == null ? "done" : String.valueOf(failure.getMessage());
                  LOG.log(INFO, "group {0}: {1} out, {2} in: {3}", group, going, coming, told);
                });
  }

  private CompletionStage<Void> configure(
      Group group, @Nullable Member going, @Nullable Member coming) {
    try {
      List<RaftPeer> next = new ArrayList<>(group.roster().peers());
      if (going != null) {
        next.removeIf(peer -> peer.getId().toString().equals(going.id()));
      }
      if (coming != null) {
        next.add(coming.raftPeer());
      }
      return group.roster().configure(next);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
