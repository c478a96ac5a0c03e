package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.node.Asker;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Removals;
import io.penstock.server.node.Signature;
import io.penstock.server.policy.MoveStep;
import io.penstock.server.policy.Moves;
import io.penstock.server.policy.Placement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Moves shards away from the groups that this node owns, as was agreed, and opens those that have
 * arrived (R23). Thread-safe.
 *
 * <p>It looks at what was agreed and at what the logs say, and at nothing else: whoever owns after
 * a crash goes on from there. A move that does not come to its end in time is given up.
 */
final class Mover implements AutoCloseable, Haul.Ways {
  private static final System.Logger LOG = System.getLogger(Mover.class.getName());
  private static final Duration BRING_MAX = Duration.ofSeconds(1);
  private static final long MOVE_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);
  private static final long BUSY_MILLIS = 10;
  private static final long IDLE_MILLIS = 200;

  /** A move that this node carries out. */
  private record Begun(long number, long untilNanos) {}

  private final Owners owners;
  private final Orders orders;
  private final Moves moves;
  private final Clock clock;
  private final Map<Integer, Begun> begun = new ConcurrentHashMap<>();
  private final Map<Integer, Boolean> running = new ConcurrentHashMap<>();
  private final Semaphore news = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "penstock-mover");
  private final ExecutorService hauls =
      Executors.newCachedThreadPool(
          task -> {
            Thread haul = new Thread(task, "penstock-haul");
            haul.setDaemon(true);
            return haul;
          });
  private volatile boolean closing;

  Mover(Owners owners, Orders orders, Moves moves, Clock clock) {
    this.owners = owners;
    this.orders = orders;
    this.moves = moves;
    this.clock = clock;
    thread.setDaemon(true);
  }

  void start() {
    owners.map().onChange(news::release);
    thread.start();
  }

  private void run() {
    boolean busy = true;
    try {
      while (!closing) {
        var unused = news.tryAcquire(busy ? BUSY_MILLIS : IDLE_MILLIS, TimeUnit.MILLISECONDS);
        var unusedNews = news.drainPermits();
        busy = round();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does what there is to do; whether anything is left. */
  private boolean round() {
    boolean busy = false;
    for (int shard = 0; shard < Signature.SHARDS; shard++) {
      Placement placement = owners.map().get(shard);
      if (!placement.isMoving()) {
        begun.remove(shard);
      }
      busy |= placement.isMoving();
      for (int group = 0; group < owners.size() && placement.last() > 0; group++) {
        LocalNode local = owners.of(group).now().local();
        busy |= local != null && isBusy(local.removals(), group, placement);
      }
    }
    return busy;
  }

  private boolean isBusy(Removals removals, int group, Placement placement) {
    boolean isHere = owners.map().group(placement) == group;
    try {
      removals.settle(placement, isHere);
      if (isHere && placement.isMoving()) {
        carryOut(removals, group, placement);
      }
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "shard " + placement.shard() + ": tried again", e);
    }
    return removals.isUnsettled(placement.shard());
  }

  /** Begins an attempt, unless there is one. */
  private void carryOut(Removals removals, int group, Placement placement) {
    int shard = placement.shard();
    long nowNanos = clock.nanos();
    Begun move =
        begun.compute(
            shard,
            (key, before) ->
                before != null && before.number == placement.last()
                    ? before
                    : new Begun(placement.last(), nowNanos + MOVE_NANOS_MAX));
    boolean isPossible = placement.next() != group && placement.next() < owners.size();
    if (running.putIfAbsent(shard, true) != null) {
      return;
    }
    Haul haul = new Haul(removals, placement, this);
    boolean goesOn = isPossible && nowNanos < move.untilNanos;
    hauls.execute(
        () -> {
          try {
            if (goesOn) {
              haul.run();
            } else {
              haul.giveUp();
            }
          } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "shard " + shard + ": tried again", e);
          } finally {
            running.remove(shard);
            news.release();
          }
        });
  }

  @Override
  public Cargo.Landing bring(int group, Cargo cargo) {
    CompletableFuture<Cargo.Landing> landing = new CompletableFuture<>();
    orders.send(
        () -> group,
        BRING_MAX,
        new Bring(cargo),
        Asker.of(landing::complete, landing::completeExceptionally));
    return Haul.answer(landing, 2 * BRING_MAX.toMillis());
  }

  @Override
  public void propose(MoveStep step) {
    moves.propose(step);
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    hauls.shutdownNow();
  }
}
