package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.policy.LateGroup;
import io.penstock.server.policy.Placement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has done what {@link Growth} says, step by step, by the node that leads {@code meta} (R19).
 * Thread-safe.
 *
 * <p>It knows nothing that is not agreed on: whoever leads next goes on with the next step. It
 * waits until every node is there and owns what it is to own, and does only what it saw twice; it
 * empties a group only if no node comes in the place of the one that was removed.
 */
final class Grower {
  private static final System.Logger LOG = System.getLogger(Grower.class.getName());
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Each attempt keeps the shard waiting, and what refused it has to change first. */
  private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A node that is replaced is removed first: its share shall not move twice. */
  private static final long REPLACED_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** The cluster as this node sees it, and what can be done to it. Never blocks. */
  interface Site {
    /** Whether this node is the one to do it. */
    boolean isLeader();

    /** How all nodes are; one that cannot take part in groups that come later is unreachable. */
    CompletionStage<List<NodeState>> nodes();

    /** Whether each node owns what it is to own. */
    boolean isEven(List<NodeState> nodes);

    /** With whom a group would begin; null if that is not certain now. */
    @Nullable String founders();

    /** Has a group come into being, be full, or be spare. */
    CompletionStage<?> propose(LateGroup group);

    /** Has a shard moved into a group; ends when it is there, or fails. */
    CompletionStage<?> move(int shard, int group);
  }

  private final Site site;
  private final Owners owners;
  private final Clock clock;
  private final Map<Integer, LateGroup> late = new ConcurrentSkipListMap<>();
  private Growth.@Nullable Step seen;
  private long seenNanos;
  private volatile boolean ended;

  Grower(Site site, Owners owners, Clock clock) {
    this.site = site;
    this.owners = owners;
    this.clock = clock;
  }

  /** It is agreed on that there is a group, or that it is full or spare. */
  void put(LateGroup group) {
    late.put(group.number(), group);
  }

  void begin() {
    roundAfter(PAUSE_NANOS);
  }

  private void roundAfter(long nanos) {
    clock.after(nanos).execute(this::round);
  }

  void end() {
    ended = true;
  }

  private void round() {
    if (ended) {
      return;
    }
    CompletionStage<Boolean> round;
    try {
      boolean isNothing = next() == null;
      seen = isNothing ? null : seen;
      round = isNothing ? done(false) : site.nodes().thenCompose(this::step);
    } catch (RuntimeException e) {
      round = CompletableFuture.failedFuture(e);
    }
    var unused =
        round.whenComplete(
            (isMore, failure) -> {
              if (failure != null) {
                LOG.log(System.Logger.Level.DEBUG, "tried again", failure);
                roundAfter(FAILED_NANOS);
              } else if (isMore) {
                round();
              } else {
                roundAfter(PAUSE_NANOS);
              }
            });
  }

  private static CompletionStage<Boolean> done(boolean isMore) {
    return CompletableFuture.completedFuture(isMore);
  }

  /** What this node would do next, if all others are as they should be. */
  private Growth.@Nullable Step next() {
    int groups = owners.size();
    String founders = site.isLeader() && groups > 0 ? site.founders() : null;
    return founders == null
        ? null
        : Growth.next(
            founders.split(" ", -1).length, groups, List.copyOf(late.values()), this::groupOf);
  }

  private int groupOf(int shard) {
    Placement placement = owners.map().get(shard);
    return placement.isMoving() ? placement.next() : owners.map().group(placement);
  }

  /** Does it, if that is what it was before; whether there is more to do at once. */
  private CompletionStage<Boolean> step(List<NodeState> nodes) {
    Growth.Step step = isReady(nodes) ? next() : null;
    boolean isDue = isDue(step);
    String founders = site.founders();
    if (step == null || !isDue || founders == null) {
      return done(false);
    }
    if (step instanceof Growth.Create create) {
      LOG.log(System.Logger.Level.INFO, "group {0} comes into being", create.group());
      return propose(new LateGroup(create.group(), founders, /* filled= */ false));
    }
    if (step instanceof Growth.Retire retire) {
      LOG.log(System.Logger.Level.INFO, "group {0} is spare", retire.group());
      LateGroup known = late.get(retire.group());
      return propose(
          known == null
              ? new LateGroup(retire.group(), founders, /* filled= */ false)
              : known.spare());
    }
    if (step instanceof Growth.Move move) {
      return site.move(move.shard(), move.group()).thenApply(moved -> true);
    }
    return step instanceof Growth.Full full ? propose(full.group()) : done(false);
  }

  private CompletionStage<Boolean> propose(LateGroup group) {
    return site.propose(group).thenApply(told -> false);
  }

  /** Whether a step was the next one for long enough. */
  private boolean isDue(Growth.@Nullable Step step) {
    Growth.Step before = seen;
    seen = step;
    if (step == null || before == null || before.getClass() != step.getClass()) {
      seenNanos = clock.nanos();
      return false;
    }
    return !(step instanceof Growth.Retire) || clock.nanos() - seenNanos >= REPLACED_NANOS;
  }

  /* A group that somebody has not heard of yet would keep its shards waiting. */
  private boolean isReady(List<NodeState> nodes) {
    return nodes.stream().allMatch(each -> each.reachable() && !each.draining() && hasAll(each))
        && site.isEven(nodes);
  }

  private boolean hasAll(NodeState node) {
    return node.groups().size() == owners.size() + 1
        && node.groups().stream().allMatch(each -> each.leader() != null);
  }
}
