package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A limiter whose policy changes all the time forgets what was in force long ago. */
class KeptRulesTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final int CHANGES = 200_000;

  /** There are 4,093 numbers for rules, and an override is remembered for 4,096 policies. */
  private static final int KEPT_MAX = 10_000;

  private static final int COLLECTIONS_MAX = 20;

  private final AtomicLong now = new AtomicLong(START);

  private MemoryLimiter limiter() {
    return Limiter.builder().policy("10/day").clock(now::get).maxBytes(64 << 10).build();
  }

  private List<WeakReference<Limit>> change(Limiter limiter) {
    List<WeakReference<Limit>> limits = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      now.addAndGet(1_000);
      Policy policy = Policy.parse(10 + i % 7 + "/day");
      limits.add(new WeakReference<>(policy.limits().get(0)));
      limiter.update(policy);
    }
    limiter.tryAcquire("b");
    return limits;
  }

  private static long kept(List<WeakReference<Limit>> limits) {
    long kept = limits.size();
    for (int i = 0; i < COLLECTIONS_MAX && kept > KEPT_MAX; i++) {
      System.gc();
      kept = limits.stream().filter(limit -> limit.get() != null).count();
    }
    return kept;
  }

  @Test
  void update_afterAnOverrideThatIsOver_keepsFewRules() {
    MemoryLimiter limiter = limiter();
    limiter.override("a", Policy.parse("20/day"), Instant.ofEpochSecond(0, START + 1_000_000));
    limiter.tryAcquire("a");
    assertThat(kept(change(limiter))).isLessThan(KEPT_MAX);
    assertThat(limiter.peek("a").allowed()).isTrue();
  }

  @Test
  void update_whileAKeyIsOverridden_keepsFewRules() {
    MemoryLimiter limiter = limiter();
    limiter.override("a", Policy.parse("20/day"), Instant.MAX);
    limiter.tryAcquire("a", 5);
    assertThat(kept(change(limiter))).isLessThan(KEPT_MAX);
    limiter.update(Policy.parse("100/day"));
    limiter.override("a", Policy.parse("20/day"), Instant.EPOCH);
    assertThat(limiter.peek("a").remaining()).isEqualTo(95);
  }

  @Test
  void override_madeAgainAndAgain_keepsFewRules() {
    MemoryLimiter limiter = limiter();
    List<WeakReference<Limit>> limits = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      now.addAndGet(1_000);
      Policy policy = Policy.parse(10 + i % 7 + "/day; 5/min");
      limits.add(new WeakReference<>(policy.limits().get(0)));
      limiter.override("a", policy, Instant.MAX);
    }
    limiter.tryAcquire("b");
    assertThat(kept(limits)).isLessThan(KEPT_MAX);
  }
}
