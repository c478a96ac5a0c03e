package io.penstock.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The paths that are said to make no garbage make none, once they are compiled. */
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long START = 1_773_145_800_000_000_000L;
  private static final Instant LATER = Instant.ofEpochSecond(0, START).plusSeconds(1_000_000);

  /** So many decisions without a byte; the compiler gets so many rounds to come to that. */
  private static final int DECISIONS = 2_000;

  /** More than the compiler needs before it has seen enough, also on a busy machine. */
  private static final int ROUNDS = 50_000;

  private static final String ASCII = "user:42 of a certain length";
  private static final String CYRILLIC =
      "\u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u044c \ud83d\ude00";

  private long now = START;

  private MemoryLimiter limiter(String limits, Algorithm algorithm) {
    return Limiter.builder().policy(limits).algorithm(algorithm).clock(() -> now).build();
  }

  private void assertNoGarbage(String what, Runnable decide) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > 0; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < DECISIONS; i++) {
        now += 300_000;
        decide.run();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).as("bytes of %d decisions: %s", DECISIONS, what).isZero();
  }

  private static String limit(Algorithm algorithm) {
    return algorithm == Algorithm.CONCURRENCY ? "5 concurrent lease 1ms" : "5/ms";
  }

  @Test
  void isAllowed_everyKindOfKey_makesNoGarbage() {
    MemoryLimiter limiter = limiter("1000/s", Algorithm.GCRA);
    byte[] bytes = CYRILLIC.getBytes(UTF_8);
    long hash = limiter.hash(ASCII);
    assertNoGarbage("ASCII", () -> limiter.isAllowed(ASCII));
    assertNoGarbage("Cyrillic", () -> limiter.isAllowed(CYRILLIC));
    assertNoGarbage("Latin-1", () -> limiter.isAllowed("cl\u00e9 d'acc\u00e8s"));
    assertNoGarbage("bytes", () -> limiter.isAllowed(bytes, 0, bytes.length));
    assertNoGarbage("hash", () -> limiter.isAllowedHash(hash));
  }

  @Test
  void isAllowed_everyAlgorithm_makesNoGarbage() {
    for (Algorithm algorithm : Algorithm.all()) {
      MemoryLimiter limiter = limiter(limit(algorithm), algorithm);
      assertNoGarbage(algorithm.name(), () -> limiter.isAllowed(ASCII));
    }
    for (String limit : List.of("1000/ms UTC", "3/s Europe/Paris", "50000/day", "9/hour UTC")) {
      MemoryLimiter limiter = limiter(limit, Algorithm.SLIDING_WINDOW_COUNTER);
      assertNoGarbage(limit, () -> limiter.isAllowed(ASCII));
    }
    MemoryLimiter several = limiter("5/ms; 1000/s; 100000/min", Algorithm.GCRA);
    assertNoGarbage("several limits", () -> several.isAllowed(ASCII));
  }

  @Test
  void isAllowed_whileKeysAreBlockedAndOverridden_makesNoGarbage() {
    MemoryLimiter limiter = limiter("1000/s", Algorithm.GCRA);
    limiter.block("blocked", LATER);
    limiter.override("overridden", Policy.parse("7/s"), LATER);
    limiter.override("denied", Policy.parse("7/hour"), LATER);
    Batch batch = limiter.newBatch(1);
    for (String key : List.of("another", "blocked", "overridden", "denied")) {
      assertNoGarbage(key, () -> limiter.isAllowed(key));
      assertNoGarbage(
          "batch of " + key,
          () -> {
            batch.clear();
            batch.add(key, 1);
            batch.decide();
          });
    }
  }

  @Test
  void batch_anyKeys_makesNoGarbage() {
    for (Algorithm algorithm : Algorithm.all()) {
      MemoryLimiter limiter = limiter(limit(algorithm), algorithm);
      limiter.block("blocked", LATER);
      Batch batch = limiter.newBatch(4);
      assertNoGarbage(
          "batch of " + algorithm.name(),
          () -> {
            batch.clear();
            batch.add(ASCII, 1);
            batch.add("blocked", 2);
            batch.addHash(42, 3);
            batch.decide();
          });
    }
  }

  @Test
  void batch_givingBack_makesNoGarbage() {
    MemoryLimiter limiter = limiter("1000/s", Algorithm.GCRA);
    Batch batch = limiter.newBatch(2);
    assertNoGarbage(
        "batch that takes and gives back",
        () -> {
          batch.clear();
          batch.add(ASCII, 2);
          batch.add(ASCII, -1);
          batch.decide();
        });
  }

  @Test
  void batch_blockedKeysUnderACalendarLimit_makesNoGarbage() {
    for (String limit : List.of("1000000/day", "1000000/day Europe/Paris", "9/hour UTC")) {
      MemoryLimiter limiter = limiter(limit, Algorithm.FIXED_WINDOW);
      limiter.block("blocked", LATER);
      limiter.block("blocked for longer", LATER.plusSeconds(1_000_000));
      Batch batch = limiter.newBatch(3);
      assertNoGarbage(
          "batch under " + limit,
          () -> {
            batch.clear();
            batch.add(ASCII, 1);
            batch.add("blocked", 1);
            batch.add("blocked for longer", 1);
            batch.decide();
          });
    }
  }

  @Test
  void batch_deniedBeyondTheEndOfAnOverride_makesNoGarbage() {
    MemoryLimiter limiter = limiter("1000/s", Algorithm.GCRA);
    limiter.override(ASCII, Policy.parse("1/year"), LATER);
    limiter.tryAcquire(ASCII);
    Batch batch = limiter.newBatch(1);
    assertNoGarbage(
        "batch of a key whose override ends first",
        () -> {
          batch.clear();
          batch.add(ASCII, 1);
          batch.decide();
        });
  }
}
