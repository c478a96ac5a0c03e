package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.Removals;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.policy.MoveStep;
import io.penstock.server.policy.Placement;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One attempt to move a shard, by the owner of the group that it is in (R23). Confined to one
 * thread, which it keeps waiting.
 *
 * <p>Whoever is gone in the middle of it has done nothing that the next attempt could not repeat:
 * what is frozen stays so until it is known what became of the move, what has come is replaced or
 * is ready, and of commit and abort the first one counts.
 */
final class Haul {
  private static final long FREEZE_MILLIS_MAX = 1_000;
  private static final byte[] NOTHING = {};

  /** The ways to others. Implementations wait for the answer, or throw if there is none. */
  interface Ways {
    /** Brings a piece to the owner of a group. */
    Cargo.Landing bring(int group, Cargo cargo);

    /** Has a step of the move agreed on. */
    void propose(MoveStep step);
  }

  private final Removals from;
  private final Placement placement;
  private final Ways ways;
  private final long attempt = new SecureRandom().nextLong();

  Haul(Removals from, Placement placement, Ways ways) {
    this.from = from;
    this.placement = placement;
    this.ways = ways;
  }

  /** Moves the shard, or gives the move up if it cannot be; does neither if others are away. */
  void run() {
    Cargo.Landing landing = bring(/* index= */ 0, /* last= */ false, /* checksum= */ 0, NOTHING);
    if (landing == Cargo.Landing.NEXT) {
      freeze();
      landing = bringAll(from.pack(placement.shard(), placement.next()));
    }
    switch (landing) {
      case READY -> ways.propose(MoveStep.commit(placement.shard(), placement.last()));
      case REFUSED -> giveUp();
      case NEXT, AGAIN -> {}
    }
  }

  /** Has it agreed on that the shard stays where it is, unless it has left. */
  void giveUp() {
    ways.propose(MoveStep.abort(placement.shard(), placement.last()));
  }

  private Cargo.Landing bringAll(List<byte[]> pieces) {
    long checksum = 0;
    Cargo.Landing landing = Cargo.Landing.NEXT;
    for (int i = 0; i < pieces.size() && landing == Cargo.Landing.NEXT; i++) {
      checksum = Removals.checksum(checksum, pieces.get(i));
      landing = bring(i + 1, i == pieces.size() - 1, checksum, pieces.get(i));
    }
    return landing;
  }

  private Cargo.Landing bring(int index, boolean last, long checksum, byte[] records) {
    int shard = placement.shard();
    /* Version 0.5.0 shifts each piece by the time since the freeze, and tells none in the first. */
    long atNanos = index == 0 ? from.nowNanos() : from.frozenNanos(shard);
    return ways.bring(
        placement.next(),
        new Cargo(
            shard,
            placement.last(),
            attempt,
            index,
            last,
            checksum,
            atNanos,
            ByteBuffer.wrap(records)));
  }

  private void freeze() {
    CompletableFuture<Boolean> frozen = new CompletableFuture<>();
    from.freeze(
        placement.shard(),
        placement.last(),
        Asker.of(frozen::complete, frozen::completeExceptionally));
    var unused = answer(frozen, FREEZE_MILLIS_MAX);
  }

  /** What somebody answers, if that is soon. */
  static <T> T answer(CompletableFuture<T> answer, long millisMax) {
    try {
      return answer.get(millisMax, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted");
    } catch (ExecutionException | TimeoutException e) {
      throw new UnavailableException(String.valueOf(e.getMessage()));
    }
  }
}
