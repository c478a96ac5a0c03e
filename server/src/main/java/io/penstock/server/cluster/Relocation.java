package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.policy.LateGroup;
import io.penstock.server.policy.MoveStep;
import io.penstock.server.policy.Moves;
import io.penstock.server.policy.Placement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Has it agreed on that a shard moves, and waits for what becomes of that (R23). Thread-safe. */
final class Relocation {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(9);

  private final ShardMap map;
  private final Supplier<Moves> moves;
  private final Clock clock;

  Relocation(ShardMap map, Supplier<Moves> moves, Clock clock) {
    this.map = map;
    this.moves = moves;
    this.clock = clock;
  }

  ShardMap map() {
    return map;
  }

  /** Has a group come into being, be full, or be spare (R19); returns when that is agreed on. */
  void propose(LateGroup group) {
    moves.get().propose(group);
  }

  /** Completes when a shard is in a group; fails if it is not, or if nobody knows. */
  CompletableFuture<Void> move(int shard, int group) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    ForkJoinPool.commonPool()
        .execute(
            () -> {
              try {
                await(shard, begin(shard, group), clock.nanos() + WAIT_NANOS_MAX, done);
              } catch (RuntimeException e) {
                done.completeExceptionally(e);
              }
            });
    return done;
  }

  private long begin(int shard, int group) {
    Placement now = map.get(shard);
    if (now.isMoving()) {
      throw new UnavailableException(
          "shard: " + shard + ", which moves (expected: one move at a time)");
    }
    long number = now.last() + 1;
    moves.get().propose(MoveStep.begin(shard, number, group));
    return number;
  }

  private void await(int shard, long number, long untilNanos, CompletableFuture<Void> done) {
    Placement now = map.get(shard);
    if (now.isAborted(number)) {
      done.completeExceptionally(
          new UnavailableException(
              "shard: " + shard + ", which stays where it is (expected: both owners to answer)"));
    } else if (now.last() >= number && !now.isMoving()) {
      done.complete(null);
    } else if (clock.nanos() > untilNanos) {
      done.completeExceptionally(
          new UnavailableException("shard: " + shard + ", which still moves (expected: soon)"));
    } else {
      clock.after(LOOK_NANOS).execute(() -> await(shard, number, untilNanos, done));
    }
  }
}
