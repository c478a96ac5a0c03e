package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Several keys, each under its own limiter, in one decision. */
class CompositeTest {
  private static final long START = 1_773_145_800_000_000_000L;

  private final AtomicLong now = new AtomicLong(START);

  private MemoryLimiter limiter(String policy) {
    return Limiter.builder().policy(policy).clock(now::get).build();
  }

  @Test
  void tryAcquireAll_oneKeyDenies_takesFromNone() {
    MemoryLimiter users = limiter("5/hour");
    MemoryLimiter routes = limiter("8/min");
    assertThat(Limiter.tryAcquireAll(users.check("u", 5), routes.check("r", 5)).allowed()).isTrue();
    Decision denied = Limiter.tryAcquireAll(routes.check("r", 3), users.check("u", 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limit()).isEqualTo(Limit.parse("5/hour"));
    assertThat(denied.parts()).hasSize(2);
    assertThat(denied.parts().get(0).allowed()).isTrue();
    assertThat(denied.parts().get(0).remaining()).isEqualTo(3);
    assertThat(denied.parts().get(1).allowed()).isFalse();
    assertThat(routes.peek("r").remaining()).isEqualTo(3);
  }

  @Test
  void tryAcquireAll_otherClocks_decidesEachAtItsOwnTime() {
    MemoryLimiter one = limiter("5/hour");
    AtomicLong late = new AtomicLong(START + Duration.ofHours(9).toNanos());
    MemoryLimiter other = Limiter.builder().policy("5/hour").clock(late::get).build();
    other.tryAcquire("b", 5);
    assertThat(Limiter.tryAcquireAll(one.check("a", 5), other.check("b", 1)).retryAfter())
        .isEqualTo(Duration.ofMinutes(12));
    one.tryAcquire("a", 5);
    assertThat(Limiter.tryAcquireAll(other.check("c", 1), one.check("a", 1)).retryAfter())
        .isEqualTo(Duration.ofMinutes(12));
  }

  @Test
  void tryAcquireAll_oneClock_isReadOnce() {
    Clock clock = now::getAndIncrement;
    MemoryLimiter one = Limiter.builder().policy("5/hour").clock(clock).build();
    MemoryLimiter other = Limiter.builder().policy("5/hour").clock(clock).build();
    long before = now.get();
    Limiter.tryAcquireAll(one.check("a", 1), other.check("b", 1), one.check("c", 1));
    assertThat(now.get()).isEqualTo(before + 1);
  }

  @Test
  void tryAcquireAll_sameKeyTwice_neverAdmitsMoreThanTheLimit() {
    MemoryLimiter limiter = limiter("5/hour");
    assertThat(Limiter.tryAcquireAll(limiter.check("a", 3), limiter.check("a", 3)).allowed())
        .isFalse();
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
    assertThat(Limiter.tryAcquireAll(limiter.check("a", 3), limiter.check("a", 2)).allowed())
        .isTrue();
    assertThat(limiter.peek("a").remaining()).isZero();
  }

  @Test
  void tryAcquireAll_givingBackBesideADenial_givesNothingBack() {
    for (Algorithm algorithm : Algorithm.all()) {
      boolean held = algorithm == Algorithm.CONCURRENCY;
      MemoryLimiter limiter =
          Limiter.builder()
              .policy(held ? "10 concurrent lease 1hour" : "10/hour")
              .algorithm(algorithm)
              .clock(now::get)
              .build();
      limiter.tryAcquire("a", 5);
      while (limiter.isAllowed("full")) {}
      long left = limiter.peek("a").remaining();
      Decision denied = Limiter.tryAcquireAll(limiter.check("a", -2), limiter.check("full", 1));
      assertThat(denied.allowed()).as(algorithm.name()).isFalse();
      assertThat(denied.parts().get(0).remaining()).as(algorithm.name()).isEqualTo(left);
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
      Decision given =
          Limiter.tryAcquireAll(
              limiter.check("a", 0), limiter.check("a", -2), limiter.check("b", 1));
      assertThat(given.allowed()).isTrue();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left + 2);
    }
  }

  @Test
  void tryAcquireAll_oneKeyTakesAndGivesBack_isRefused() {
    MemoryLimiter limiter = limiter("5/hour");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limiter.tryAcquireAll(limiter.check("a", 3), limiter.check("a", -2)))
        .withMessage("cost: -2 (expected: >= 0, as the same key is asked 3)");
  }

  @Test
  void tryAcquireAll_blockedKey_takesFromNone() {
    MemoryLimiter limiter = limiter("5/hour");
    limiter.block("bad", Instant.ofEpochSecond(0, START).plusSeconds(9));
    Decision decision = Limiter.tryAcquireAll(limiter.check("a", 1), limiter.check("bad", 1));
    assertThat(decision.reason()).isEqualTo(Reason.BLOCKED);
    assertThat(decision.parts().get(0).remaining()).isEqualTo(5);
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
  }

  @Test
  void tryAcquireAll_blockedKeyAndUsedUpKey_saysTheLongestWait() {
    MemoryLimiter limiter = limiter("5/hour");
    limiter.tryAcquire("a", 5);
    limiter.block("bad", Instant.ofEpochSecond(0, START).plusSeconds(9));
    Decision longer = Limiter.tryAcquireAll(limiter.check("bad", 1), limiter.check("a", 2));
    assertThat(longer.reason()).isEqualTo(Reason.LIMITED);
    assertThat(longer.retryAfter()).isEqualTo(Duration.ofMinutes(24));
    assertThat(longer.parts().get(0).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(longer.parts().get(0).retryAfter()).isEqualTo(Duration.ofSeconds(9));
    limiter.block("a", Instant.ofEpochSecond(0, START).plusSeconds(9));
    assertThat(Limiter.tryAcquireAll(limiter.check("a", 2)).retryAfter())
        .isEqualTo(Duration.ofMinutes(24));
    now.addAndGet(Duration.ofMinutes(24).toNanos());
    assertThat(Limiter.tryAcquireAll(limiter.check("bad", 1), limiter.check("a", 2)).allowed())
        .isTrue();
  }

  /** The plan was changed by a clock that was read a little later than this one. */
  @Test
  void decide_oneOfItsRulesBeganAfterNow_isDecidedAtOneInstant() {
    for (long i = 1; i <= 1_000; i++) {
      long key = i * 0x9E37_79B9_7F4A_7C15L;
      Engine engine = new Engine(Policy.parse("10/s; 1000/hour"), null, 1 << 16, START);
      engine.update(Policy.parse("10/s; 2000/hour"), () -> START + 200);
      assertThat(engine.decide(key, START + 100, /* cost= */ 1).remaining()).isEqualTo(9);
      assertThat(engine.decide(key, START + 100, /* cost= */ 1).remaining()).isEqualTo(8);
    }
  }

  @Test
  void decide_oneOfItsKeysIsUnderALaterRule_isDecidedAtOneInstant() {
    long key = 0x1234_5678_9abc_def0L;
    long neighbour = key ^ 1L << 60;
    Engine engine = new Engine(Policy.parse("10/hour"), null, 1 << 16, START);
    engine.override(neighbour, Policy.parse("20/hour"), START + 1_000_000, START + 200);
    Composite composite = new Composite();
    composite.add(engine, key, /* cost= */ 1, START + 100);
    composite.add(engine, neighbour, /* cost= */ 1, START + 100);
    assertThat(composite.decide().allowed()).isTrue();
    assertThat(engine.decide(key, START + 300, /* cost= */ 0).remaining()).isEqualTo(9);
    assertThat(engine.decide(neighbour, START + 300, /* cost= */ 0).remaining()).isEqualTo(19);
  }

  /** For one reading of the clock the key's own plan holds, for the next the general one. */
  @Test
  void decide_oneKeyTwiceAsItsOverrideEnds_losesNothing() {
    Policy general = Policy.parse("100/year UTC");
    Engine engine = new Engine(general, /* store= */ null, /* maxBytes= */ 1 << 20, START);
    long key = 0x1234_5678_9abc_def0L;
    engine.override(key, Policy.parse("90/year UTC"), START + 10, START);
    Composite composite = new Composite();
    composite.add(engine, key, /* cost= */ 2, START + 9);
    composite.add(engine, key, /* cost= */ 1, START + 10);
    assertThat(composite.decide().allowed()).isTrue();
    assertThat(engine.decide(key, START + 11, /* cost= */ 0).remaining()).isEqualTo(97);
  }

  /** What would have passed took nothing, so nobody may count it as let through. */
  @Test
  void listener_checkOverSeveralKeysIsDenied_onlyThoseThatDenyHear() {
    List<String> heard = new ArrayList<>();
    LimiterBuilder parts = Limiter.builder().clock(now::get);
    Limiter users = parts.policy("100/min").listener((k, c, d) -> heard.add(k + c)).build();
    Limiter orgs = parts.policy("1/min").listener((k, c, d) -> heard.add(k + d.allowed())).build();
    for (int i = 0; i < 3; i++) {
      Limiter.tryAcquireAll(users.check("user", 2), orgs.check("org", 1));
    }
    assertThat(heard).containsExactly("user2", "orgtrue", "orgfalse", "orgfalse");
    assertThat(users.peek("user").remaining()).isEqualTo(98);
  }

  /** By the time that the other has room, the policy holds again for the key that has room now. */
  @Test
  void tryAcquireAll_overrideEndsBeforeTheOtherHasRoom_saysWhenBothHave() {
    MemoryLimiter users = limiter("1/min");
    MemoryLimiter orgs = limiter("1/10s");
    users.tryAcquire("u", 1);
    users.override("u", Policy.parse("5/min"), Instant.ofEpochSecond(0, START).plusSeconds(5));
    orgs.tryAcquire("o", 1);
    Decision denied = Limiter.tryAcquireAll(users.check("u", 1), orgs.check("o", 1));
    assertThat(denied.retryAfter()).isGreaterThan(Duration.ofSeconds(10));
    now.addAndGet(denied.retryAfterNanos() - 1);
    assertThat(Limiter.tryAcquireAll(users.check("u", 1), orgs.check("o", 1)).allowed()).isFalse();
    now.incrementAndGet();
    assertThat(Limiter.tryAcquireAll(users.check("u", 1), orgs.check("o", 1)).allowed()).isTrue();
  }

  /** Each override ends only in the time that the one before adds, and one denies by itself. */
  @Test
  void tryAcquireAll_overridesThatEndOneAfterTheOther_saysWhenAllHaveRoom() {
    String[] policies = {"1/100s", "1/min", "1/30s", "1/10s"};
    long[] ends = {50, 20, 5};
    Check[] checks = new Check[policies.length];
    for (int i = 0; i < policies.length; i++) {
      MemoryLimiter limiter = limiter(policies[i]);
      if (i < ends.length) {
        Instant end = Instant.ofEpochSecond(0, START).plusSeconds(ends[i]);
        limiter.override("k", Policy.parse(policies[i] + " burst " + (i == 1 ? 1 : 2)), end);
      }
      limiter.tryAcquire("k", 1);
      checks[i] = limiter.check("k", 1);
    }
    assertThat(Limiter.tryAcquireAll(checks).retryAfter()).isEqualTo(Duration.ofSeconds(100));
    now.addAndGet(Duration.ofSeconds(100).toNanos());
    assertThat(Limiter.tryAcquireAll(checks).allowed()).isTrue();
  }
}
