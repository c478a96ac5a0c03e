package io.penstock.server.node;

import io.penstock.shard.Shard;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The shards that a group decides on, by what its own log says: those it began with, but for what
 * was moved away, and what was moved to it (R23). Thread-safe.
 */
final class Estate {
  /*
   * A deed is a note: in the log together with what was decided in its generation, and in
   * snapshots. Whoever decides looks here between enter and leave. So everything that was decided
   * before a shard is frozen is in the log before its deed, or with it.
   */
  /** In place of the second hash of a note: tells deeds from what is held. */
  static final long DEED = 0x6465_6564L;

  private static final long FOREVER = Long.MAX_VALUE / 2;

  private final Extent home;
  private final Shard shard;
  private final AtomicReferenceArray<@Nullable Deed> deeds =
      new AtomicReferenceArray<>(Signature.SHARDS);

  /** What the log of a group says now. */
  Estate(Extent home, Shard shard) {
    this.home = home;
    this.shard = shard;
    shard
        .notes()
        .forEach(
            (hash, check, text) -> {
              if (check == DEED) {
                deeds.set(Signature.shard(hash), Deed.read(text));
              }
            });
  }

  /** Whether the key of a hash is decided on here. */
  boolean has(long hash) {
    return isOpen(Signature.shard(hash));
  }

  boolean isOpen(int number) {
    Deed deed = deeds.get(number);
    return deed == null ? home.has(number) : deed.is(Deed.Sort.OPEN);
  }

  /** Whether a group came into being after those that the cluster was created with (R19). */
  boolean isLate(int group) {
    return group >= home.groups();
  }

  /** Throws unless the key of a hash is decided on here. */
  void require(long hash) {
    if (!has(hash)) {
      throw new MisroutedException();
    }
  }

  /** Whether the key of a hash is on its way from here or to here. */
  boolean isMoving(long hash) {
    Deed deed = deeds.get(Signature.shard(hash));
    return deed != null && !deed.is(Deed.Sort.OPEN) && !deed.is(Deed.Sort.GONE);
  }

  /**
   * Whether copies of orders may be on their way from here or to here: a shard that moves into a
   * group that came into being later brings them (R19).
   */
  boolean isCopyingOrders() {
    boolean isLate = isLate(home.group());
    for (int number = 0; number < deeds.length(); number++) {
      Deed deed = deeds.get(number);
      if (deed != null && (deed.is(Deed.Sort.FROZEN) || (isLate && deed.is(Deed.Sort.ARRIVING)))) {
        return true;
      }
    }
    return false;
  }

  /** The move that brought a shard here; 0 if none did. */
  long generation(int number) {
    Deed deed = deeds.get(number);
    return deed != null && deed.is(Deed.Sort.OPEN) ? deed.number() : 0;
  }

  /** What the log says of a shard; null if nothing. */
  @Nullable Deed deed(int number) {
    return deeds.get(number);
  }

  /** The generation that has not ended: when it is kept, so is all that the log says by now. */
  long now() {
    long generation = shard.enter();
    shard.leave(generation);
    return generation;
  }

  /** Has the log say something else of a shard; answers the generation that this belongs to. */
  long put(int number, Deed.Sort sort, long move) {
    long generation = shard.enter();
    try {
      Deed deed = new Deed(sort, move, shard.clock().nanos());
      /* There are no more of them than shards: they need no bound, and nobody may lack one. */
      shard.notes().putAlways(Signature.withShard(0, number), DEED, deed.write(), FOREVER);
      deeds.set(number, deed);
    } finally {
      shard.leave(generation);
    }
    return generation;
  }
}
