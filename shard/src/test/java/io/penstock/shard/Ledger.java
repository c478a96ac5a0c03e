package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Decides numbered deeds in a shard, and reads from a shard which of them it holds. Confined. */
final class Ledger {
  /** When everything is decided; a test hands its own to the processes it starts. */
  static final long NOW = Long.getLong("now", Clock.system().nanos());

  static final long END = NOW + TimeUnit.DAYS.toNanos(1);
  static final int STRIPES = 16;

  /* So slow that nothing comes back while a test runs. */
  private static final Limit LIMIT = Limit.parse("1000/year burst 30000");
  private static final long SALT = 0x9E37_79B9_7F4A_7C15L;

  private final Shard shard;
  private final Rule rule;
  private final Together together = new Together();
  private final Turn turn = new Turn();

  Ledger(Shard shard) {
    this.shard = shard;
    this.rule = shard.rules().shared(LIMIT, Algorithm.GCRA);
  }

  static ShardOptions options(Path folder) {
    return ShardOptions.of(folder, Clock.system(), /* tableBytes= */ 8 << 20)
        .small(STRIPES, /* journalBytesMin= */ 64 << 20);
  }

  static Shard open(Path folder) {
    return Shard.open(options(folder));
  }

  static long key(long number) {
    return (number + 1) * SALT;
  }

  private static byte[] text(long deed) {
    return ByteBuffer.allocate(Long.BYTES).putLong(deed).array();
  }

  /** Takes one unit from each of two keys, and notes the deed; answers when that was. */
  long decide(long deed, long firstKey, long secondKey) {
    long entered = shard.enter();
    long nanos = shard.clock().nanos();
    try {
      together.clear();
      together.add(shard.table()).of(key(firstKey), rule, NOW).asks(1);
      together.add(shard.table()).of(key(secondKey), rule, NOW).asks(1);
      assertThat(together.isPlayed() && together.allowed()).isTrue();
      shard.ids().put(key(deed), deed, text(deed), NOW);
      shard.notes().put(key(deed), deed, text(deed), END);
    } finally {
      shard.leave(entered);
    }
    return nanos;
  }

  /** How many units a key has used. */
  long used(long number) {
    shard.table().play(turn.of(key(number), rule, NOW).asks(0));
    return rule.capacity() - turn.step().remaining();
  }

  boolean hasId(long deed) {
    return shard.ids().get(key(deed), deed) != null;
  }

  boolean hasNote(long deed) {
    return shard.notes().get(key(deed), deed) != null;
  }

  /** Waits until all that was decided is durable, or cannot be. */
  static boolean isDurable(Shard shard) throws Exception {
    CompletableFuture<Boolean> told = new CompletableFuture<>();
    shard.whenDurable(shard.table().number(), told::complete);
    return told.get(20, TimeUnit.SECONDS);
  }
}
