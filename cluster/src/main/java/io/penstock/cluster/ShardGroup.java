package io.penstock.cluster;

import io.penstock.core.Clock;
import io.penstock.core.state.Rules;
import io.penstock.shard.Replica;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shards of one group on this node: a replica of them, and a shard of its own while this node
 * owns them. Thread-safe.
 */
public final class ShardGroup implements Replicated {
  private static final byte[] COUNTS = {1};
  private static final byte[] IGNORED = {0};
  private static final System.Logger LOG = System.getLogger(ShardGroup.class.getName());

  /** Is told when this node owns, and when it does no more. Must not block for long. */
  public interface Owner {
    /** Has the shard made that is about to be owned, while no rule changes. */
    Shard build(Supplier<Shard> building);

    /** This node owns in a term, and decides on this shard. */
    void owns(Shard shard, long term);

    /** It does not own any more; nothing of the shard may be answered that is not accepted. */
    void isOver(Shard shard);
  }

  /** When a live leader's entry was received: its log time, and this node's own time (R15). */
  private record Note(long stampNanos, long atNanos) {}

  private final String name;
  private final Replica replica;
  private final Clock clock;
  private final boolean isStepped;
  private final Rules rules;
  private final Owner owner;
  private final Supplier<Raft> raft;
  private volatile @Nullable Note note;

  /** How often Raft has said that this node does not lead. */
  private final AtomicLong ends = new AtomicLong();

  /**
   * Replicates shards.
   *
   * @param rules those of the node's policies
   * @param name of the group that this is to be replicated by
   * @param raft what drives that group
   */
  public ShardGroup(
      ShardOptions options, Rules rules, Owner owner, String name, Supplier<Raft> raft) {
    this.name = name;
    this.replica = new Replica(options);
    this.clock = options.clock();
    this.isStepped = options.isStepped();
    this.rules = rules;
    this.owner = owner;
    this.raft = raft;
  }

  private Group group() {
    return raft.get().group(name);
  }

  @Override
  public byte[] apply(long term, long index, ByteBuffer entry) {
    return replica.apply(term, entry) ? COUNTS : IGNORED;
  }

  @Override
  public void received(ByteBuffer entry) {
    Note newest = note;
    long stamp = Replica.stampNanos(entry);
    if (newest == null || stamp > newest.stampNanos) {
      note = new Note(stamp, clock.nanos());
    }
  }

  /** Log time by now: as this node and the others have it (R15). */
  private long logNanos() {
    long own = clock.nanos();
    if (isStepped) {
      /* All nodes read the same, and a step between an entry and its arrival tells nothing. */
      return own;
    }
    Note newest = note;
    long estimate = newest == null ? LogTime.NONE : newest.stampNanos + own - newest.atNanos;
    return raft.get().logNanos(estimate, replica.stampNanos());
  }

  @Override
  public void leads(long term) {
    /* Before, not while, the next one is built: whoever hears of the end may want to build. */
    replica.end();
    long endsBefore = ends.get();
    Own own = new Own();
    Shard shard =
        owner.build(() -> replica.own(term, rules, logNanos(), group()::append, own::end));
    if (ends.get() != endsBefore) {
      /* There was nothing to end yet when it was said: the replica was still being copied. */
      replica.end();
    }
    LOG.log(System.Logger.Level.INFO, "group {0}: owned in term {1}", group(), term);
    own.begin(shard, term);
  }

  /** One ownership: it begins before it ends, whoever of both comes first. */
  private final class Own {
    private @Nullable Shard begun;
    private boolean ended;

    private void begin(Shard shard, long term) {
      if (!hasBegun(shard, term)) {
        /* Whoever built it knows it already. */
        owner.isOver(shard);
      }
    }

    private synchronized boolean hasBegun(Shard shard, long term) {
      if (ended) {
        return false;
      }
      begun = shard;
      owner.owns(shard, term);
      return true;
    }

    private void end() {
      Shard shard;
      synchronized (this) {
        ended = true;
        shard = begun;
        begun = null;
      }
      Note last = shard == null ? null : new Note(shard.clock().nanos(), clock.nanos());
      note = last == null ? note : last;
      if (shard != null) {
        owner.isOver(shard);
      }
      if (group().isLeader()) {
        group().giveAway();
      }
    }
  }

  @Override
  public void follows() {
    ends.incrementAndGet();
    replica.end();
  }

  @Override
  public @Nullable Saving saving(long index) {
    return replica.isWhole() ? replica.copy(index)::write : null;
  }

  @Override
  public void clear() {
    replica.clear();
  }

  @Override
  public void read(Path file) throws IOException {
    replica.read(file);
  }
}
