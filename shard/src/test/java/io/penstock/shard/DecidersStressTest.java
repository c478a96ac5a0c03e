package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many decide while generations are cut and snapshots written: what is recovered is all of it. */
@Timeout(120)
class DecidersStressTest {
  private static final int THREADS = Runtime.getRuntime().availableProcessors() + 2;
  private static final int DEEDS_EACH = 30_000;
  private static final int KEYS = 200;

  @TempDir Path folder;

  /** The first of two keys of a deed; the second lies {@link #KEYS} higher and is as random. */
  private static long firstKey(long deed) {
    return new SplittableRandom(deed).nextInt(KEYS);
  }

  private static long secondKey(long deed) {
    return (long) KEYS + new SplittableRandom(~deed).nextInt(KEYS);
  }

  @Test
  void recover_afterManyDecidedAtOnce_equalsWhatWasDecided() throws Exception {
    AtomicLong told = new AtomicLong();
    try (Shard shard =
        Shard.open(Ledger.options(folder).small(Ledger.STRIPES, /* journalBytesMin= */ 200_000))) {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        long from = (long) thread * DEEDS_EACH;
        ends.add(threads.submit(() -> decide(shard, from, told)));
      }
      for (Future<?> end : ends) {
        end.get(100, TimeUnit.SECONDS);
      }
      threads.shutdown();
      assertThat(Ledger.isDurable(shard)).isTrue();
      assertThat(shard.stats().snapshots()).as("snapshots while deciding").isPositive();
    }
    assertThat(told.get()).isEqualTo((long) THREADS * DEEDS_EACH / 100);
    check();
  }

  private static Void decide(Shard shard, long from, AtomicLong told) {
    Ledger ledger = new Ledger(shard);
    for (long deed = from; deed < from + DEEDS_EACH; deed++) {
      ledger.decide(deed, firstKey(deed), secondKey(deed));
      if (deed % 100 == 0) {
        shard.whenDurable(
            shard.table().number(),
            durable -> {
              if (durable) {
                told.incrementAndGet();
              }
            });
      }
    }
    return null;
  }

  private void check() {
    long[] used = new long[2 * KEYS];
    try (Shard shard = Ledger.open(folder)) {
      Ledger ledger = new Ledger(shard);
      for (long deed = 0; deed < (long) THREADS * DEEDS_EACH; deed++) {
        assertThat(ledger.hasId(deed)).as("deed %d", deed).isTrue();
        assertThat(ledger.hasNote(deed)).as("deed %d", deed).isTrue();
        used[(int) firstKey(deed)]++;
        used[(int) secondKey(deed)]++;
      }
      for (int key = 0; key < used.length; key++) {
        assertThat(ledger.used(key)).as("key %d", key).isEqualTo(used[key]);
      }
    }
  }
}
