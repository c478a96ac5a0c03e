package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.policy.RecentChecks;
import io.penstock.server.policy.RecentChecks.Frequency;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How much is decided on each shard that a node owns, and which keys that is for. Thread-safe.
 *
 * <p>A decision is only counted. Rates are made once a second, and keys, when somebody asks, of the
 * checks that are remembered anyway: the newest few thousand name every key that is frequent, and
 * nothing is kept per key.
 */
public final class Heat {
  /** From so many decisions per second on a shard or key may be hot: less is no load for a node. */
  public static final int HOT_PER_SECOND = 1_000;

  /** A hot shard has so many times the mean of all shards of its node. */
  public static final int HOT_TIMES_MEAN = 4;

  /**
   * Who is hot stays so until this share of what made it hot: nobody comes and goes at the edge.
   */
  private static final double STAYS_HOT = 0.75;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int CHECKS_MAX = 1 << 12;

  /** How many keys are told at most. */
  public static final int KEYS_MAX = 20;

  private final Turnstile turnstile = new Turnstile();
  private final RecentChecks recent;
  private final ToIntBiFunction<String, Descriptor> shardOf;
  private final Pace[] paces = new Pace[Signature.SHARDS];
  private final Pace remembered = new Pace();
  private final BitSet owned = new BitSet();
  private final BitSet hot = new BitSet();
  private volatile List<ShardRate> shards = List.of();

  /** Of the last reading; null until somebody asks for them. */
  private @Nullable List<KeyRate> keys;

  /**
   * Of a node that has decided nothing yet.
   *
   * @param recent where its checks are remembered
   * @param shardOf the shard of a key
   */
  Heat(RecentChecks recent, ToIntBiFunction<String, Descriptor> shardOf) {
    this.recent = recent;
    this.shardOf = shardOf;
    for (int shard = 0; shard < paces.length; shard++) {
      paces[shard] = new Pace();
    }
  }

  /** A key of this hash was decided on. */
  void decided(long hash) {
    turnstile.pass(hash);
  }

  /** How many decisions there were on a shard since the process began. */
  public long decisions(int shard) {
    return turnstile.passed(shard);
  }

  /**
   * Takes the rates anew.
   *
   * @param elapsedNanos since this was done before
   * @param isOwned which shards this node owns now: others are decided on elsewhere
   */
  public synchronized void read(long elapsedNanos, IntPredicate isOwned) {
    double seconds = Math.max(1, elapsedNanos) / NANOS_PER_SECOND;
    remembered.read(recent.added(), seconds);
    double sum = 0;
    for (int shard = 0; shard < paces.length; shard++) {
      paces[shard].read(turnstile.passed(shard), seconds);
      owned.set(shard, isOwned.test(shard));
      if (owned.get(shard)) {
        sum += paces[shard].perSecond();
      } else {
        paces[shard].stop();
      }
    }
    double mean = sum / Math.max(1, owned.cardinality());
    shards = rates(Math.max(HOT_PER_SECOND, HOT_TIMES_MEAN * mean));
    keys = null;
  }

  private List<ShardRate> rates(double hotFrom) {
    hot.and(owned);
    List<ShardRate> rates = new ArrayList<>(owned.cardinality());
    for (int shard = owned.nextSetBit(0); shard >= 0; shard = owned.nextSetBit(shard + 1)) {
      double perSecond = paces[shard].perSecond();
      hot.set(shard, perSecond >= (hot.get(shard) ? STAYS_HOT * hotFrom : hotFrom));
      rates.add(new ShardRate(shard, Math.round(perSecond), hot.get(shard)));
    }
    return List.copyOf(rates);
  }

  /** Every shard that this node owns, in order, as it was read last. */
  public List<ShardRate> shards() {
    return shards;
  }

  /** The keys that are decided on most often, the first of them first. Takes its time. */
  public synchronized List<KeyRate> keys() {
    if (keys == null) {
      keys = frequent();
    }
    return keys;
  }

  private List<KeyRate> frequent() {
    double checksPerSecond = remembered.perSecond();
    int newest = (int) Math.min(CHECKS_MAX, checksPerSecond * Pace.MEMORY_SECONDS);
    List<Frequency> frequencies = recent.frequencies(newest);
    int all = frequencies.stream().mapToInt(Frequency::count).sum();
    List<KeyRate> found = new ArrayList<>();
    for (int i = 0; i < frequencies.size() && found.size() < KEYS_MAX; i++) {
      Frequency key = frequencies.get(i);
      int shard = shardOf.applyAsInt(key.domain(), key.descriptor());
      double perSecond = checksPerSecond * key.count() / all;
      if (owned.get(shard) && perSecond >= 1) {
        long percent = Math.round(100 * perSecond / Math.max(perSecond, paces[shard].perSecond()));
        found.add(
            new KeyRate(
                shard, key.domain(), key.descriptor(), Math.round(perSecond), (int) percent));
      }
    }
    return List.copyOf(found);
  }
}
