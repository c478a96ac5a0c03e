package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a limiter in memory does beside the contract of every limiter. */
class MemoryLimiterTest {
  private static final long START = 1_773_145_800_000_000_000L;

  private final AtomicLong now = new AtomicLong(START);

  private MemoryLimiter limiter(String policy) {
    return Limiter.builder().policy(policy).clock(now::get).build();
  }

  @Test
  void isAllowed_bytesTextOrHash_areTheSameKey() {
    MemoryLimiter limiter = limiter("3/hour");
    byte[] bytes = "--cl\u00e9--".getBytes(StandardCharsets.UTF_8);
    assertThat(limiter.isAllowed("cl\u00e9")).isTrue();
    assertThat(limiter.isAllowed(bytes, 2, bytes.length - 4)).isTrue();
    assertThat(limiter.isAllowedHash(limiter.hash("cl\u00e9"))).isTrue();
    assertThat(limiter.isAllowed("cl\u00e9")).isFalse();
    assertThat(limiter.tryAcquire(bytes, 2, bytes.length - 4, 1).allowed()).isFalse();
  }

  @Test
  void isAllowedHash_bitsThatASlotKeepsAreZero_isCountedLikeAnyKey() {
    MemoryLimiter limiter = limiter("3/hour");
    assertThat(limiter.isAllowed("gives its slot up")).isTrue();
    limiter.reset("gives its slot up");
    for (long hash = 0; hash < 1 << 14; hash += 127) {
      Batch batch = limiter.newBatch(1);
      batch.addHash(hash, 1);
      batch.decide();
      assertThat(batch.remaining(0)).isEqualTo(2);
      assertThat(limiter.isAllowedHash(hash)).isTrue();
      assertThat(limiter.tryAcquireHash(hash, 1).allowed()).isTrue();
      assertThat(limiter.isAllowedHash(hash)).isFalse();
    }
  }

  @Test
  void batch_manyKeys_isDecidedOneAfterTheOther() {
    MemoryLimiter limiter = limiter("2/hour");
    Batch batch = limiter.newBatch(1);
    for (int i = 0; i < 3; i++) {
      batch.add("a", 1);
    }
    batch.add("b", 3);
    batch.decide();
    assertThat(batch.size()).isEqualTo(4);
    assertThat(batch.allowed(0)).isTrue();
    assertThat(batch.remaining(0)).isEqualTo(1);
    assertThat(batch.allowed(1)).isTrue();
    assertThat(batch.allowed(2)).isFalse();
    assertThat(batch.retryAfterNanos(2)).isEqualTo(1_800_000_000_000L);
    assertThat(batch.retryAfterNanos(3)).isEqualTo(Decision.NEVER);
    batch.clear();
    assertThat(batch.size()).isZero();
  }

  @Test
  void batch_blockedKeyThatIsUsedUp_saysTheLongerWait() {
    MemoryLimiter limiter = limiter("5/hour");
    limiter.tryAcquire("a", 5);
    limiter.block("a", Instant.ofEpochSecond(0, START).plusSeconds(9));
    Batch batch = limiter.newBatch(2);
    batch.add("a", 2);
    batch.add("a", 0);
    batch.decide();
    assertThat(batch.allowed(0)).isFalse();
    assertThat(batch.retryAfterNanos(0)).isEqualTo(Duration.ofMinutes(24).toNanos());
    assertThat(batch.allowed(1)).isFalse();
    assertThat(batch.retryAfterNanos(1)).isEqualTo(Duration.ofSeconds(9).toNanos());
  }

  @Test
  void block_untilAnInstantBefore1970_isOver() {
    now.set(0);
    MemoryLimiter limiter = limiter("5/hour");
    limiter.block("a", Instant.EPOCH.minusMillis(1));
    assertThat(limiter.isAllowed("a")).isTrue();
  }

  @Test
  void block_inTheYear2046_tellsTheWaitBehindIt() {
    now.set(Instant.parse("2046-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000L);
    MemoryLimiter limiter = limiter("1/s burst 5");
    limiter.tryAcquire("a", 2);
    limiter.block("a", Instant.parse("2046-01-01T00:00:01Z"));
    assertThat(limiter.tryAcquire("a", 5).retryAfter()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void update_sameLimitWrittenInAnotherWay_isNamedAsItWasWritten() {
    MemoryLimiter limiter = limiter("7/s");
    limiter.tryAcquire("a", 3);
    limiter.update(Policy.parse("007/1s"));
    assertThat(limiter.peek("a").limit()).hasToString("007/1s");
    assertThat(limiter.peek("a").remaining()).isEqualTo(4);
  }

  @Test
  void listener_everyDecision_isHeard() {
    List<String> heard = new ArrayList<>();
    MemoryLimiter limiter =
        Limiter.builder()
            .policy("1/hour")
            .clock(now::get)
            .listener((key, cost, decision) -> heard.add(key + cost + decision.allowed()))
            .build();
    limiter.isAllowed("a");
    limiter.tryAcquire("a", 2);
    limiter.refund("a", 1);
    assertThat(heard).containsExactly("a1true", "a2false", "a-1true");
  }

  @Test
  void tryAcquire_memoryFull_answersByTheFailModeAndKeepsLiveKeys() {
    for (FailMode mode : FailMode.values()) {
      MemoryLimiter limiter =
          Limiter.builder()
              .policy(Policy.parse("1/hour").withFailMode(mode))
              .clock(now::get)
              .maxBytes(64 << 10)
              .build();
      int kept = 0;
      while (limiter.tryAcquire("key" + kept).reason() == Reason.OK && kept < 100_000) {
        kept++;
      }
      assertThat(kept).isBetween(1_000, 99_999);
      Decision full = limiter.tryAcquire("key" + kept);
      assertThat(full.allowed()).isEqualTo(mode == FailMode.OPEN);
      assertThat(full.reason())
          .isEqualTo(mode == FailMode.OPEN ? Reason.FAIL_OPEN : Reason.FAIL_CLOSED);
      assertThat(limiter.memory().refused()).isPositive();
      assertThat(limiter.memory().bytes()).isLessThanOrEqualTo(limiter.memory().bytesMax());
      for (int i = 0; i < kept; i++) {
        assertThat(limiter.isAllowed("key" + i)).isFalse();
      }
    }
  }

  @Test
  void tryAcquire_idleKeys_makeRoomForNewOnes() {
    MemoryLimiter limiter =
        Limiter.builder().policy("1/s").clock(now::get).maxBytes(64 << 10).build();
    for (int i = 0; i < 200_000; i++) {
      now.addAndGet(1_000_000);
      assertThat(limiter.tryAcquire("key" + i).reason()).isEqualTo(Reason.OK);
    }
    assertThat(limiter.memory().refused()).isZero();
  }

  private static void assertMissing(String message, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(message);
  }

  @Test
  @SuppressWarnings("NullAway")
  void limiter_nothingGiven_isRefusedByName() {
    MemoryLimiter limiter = limiter("5/hour");
    Policy policy = limiter.policy();
    String key = "key: null (expected: a text or its bytes)";
    assertMissing(key, () -> limiter.isAllowed(null));
    assertMissing(key, () -> limiter.isAllowed(null, 0, 1));
    assertMissing(key, () -> limiter.reserve(null, 1));
    assertMissing(key, () -> limiter.block(null, Instant.EPOCH));
    assertMissing("key: null (expected: a text)", () -> limiter.check(null, 1));
    assertMissing("until: null (expected: an instant)", () -> limiter.block("a", null));
    assertMissing("until: null (expected: an instant)", () -> limiter.override("a", policy, null));
    assertMissing("algorithm: null (expected: a name)", () -> Algorithm.named(null));
    assertMissing("policy: null (expected: a policy)", () -> limiter.update(null));
    assertMissing("timeout: null (expected: a duration)", () -> limiter.acquire("a", 1, null));
    Check check = limiter.check("a", 1);
    assertMissing("checks[1]: null (expected: a check)", () -> ask(check, null));
    assertMissing("checks: null (expected: one or more)", () -> limiter.tryAcquireTogether(null));
    assertMissing(
        "checks[1]: null (expected: a check)",
        () -> limiter.tryAcquireTogether(Arrays.asList(check, null)));
  }

  @Test
  @SuppressWarnings("NullAway")
  void build_ownAlgorithmThatSaysNoNameOrShape_isRefusedByName() {
    Algorithm nameless =
        new OwnWindow() {
          @Override
          public String name() {
            return null;
          }
        };
    Algorithm shapeless =
        new OwnWindow() {
          @Override
          public Shape shape(Limit limit) {
            return null;
          }
        };
    assertMissing(
        "name of " + nameless.getClass().getName() + ": null (expected: a text)",
        () -> Limiter.builder().policy("1/s").algorithm(nameless).build());
    String shape = "shape of " + shapeless.getClass().getName();
    assertMissing(
        shape + ": null (expected: ONE_WORD, THREE_WORDS or LOG)",
        () -> limiter("1/s").update(Policy.parse("1/s").withAlgorithm(shapeless)));
  }

  private static void assertNegative(String name, ThrowingCallable call) {
    assertThatIllegalArgumentException()
        .isThrownBy(call)
        .withMessage(name + ": -1 (expected: >= 0)");
  }

  private static Decision decision(long left, long retry, long reset, long wait, long version) {
    Limit limit = Limit.parse("1/s");
    return new Decision(true, Reason.OK, left, retry, reset, wait, limit, version, List.of());
  }

  @Test
  @SuppressWarnings("NullAway")
  void decision_badPart_isRefusedByName() {
    assertNegative("remaining", () -> decision(-1, 0, 0, 0, 1));
    assertNegative("retryAfterNanos", () -> decision(0, -1, 0, 0, 1));
    assertNegative("resetAfterNanos", () -> decision(0, 0, -1, 0, 1));
    assertNegative("waitNanos", () -> decision(0, 0, 0, -1, 1));
    assertNegative("policyVersion", () -> decision(0, 0, 0, 0, -1));
    assertThat(decision(0, Decision.NEVER, 0, 0, 1).retryAfterNanos()).isEqualTo(Decision.NEVER);
    Limit limit = Limit.parse("1/s");
    assertMissing(
        "reason: null (expected: a reason)",
        () -> new Decision(true, null, 0, 0, 0, 0, limit, 1, List.of()));
    assertMissing(
        "limit: null (expected: a limit)",
        () -> new Decision(true, Reason.OK, 0, 0, 0, 0, null, 1, List.of()));
    assertMissing(
        "parts: null (expected: decisions, or none)",
        () -> new Decision(true, Reason.OK, 0, 0, 0, 0, limit, 1, null));
  }

  @Test
  void usage_negative_isRefusedByName() {
    assertNegative("bytes", () -> new MemoryLimiter.Usage(-1, -1, -1));
    assertNegative("bytesMax", () -> new MemoryLimiter.Usage(0, -1, -1));
    assertNegative("refused", () -> new MemoryLimiter.Usage(0, 0, -1));
  }

  private static Decision ask(Check... checks) {
    return Limiter.tryAcquireAll(checks);
  }

  @Test
  @SuppressWarnings("NullAway")
  void builder_badPart_isRefusedByName() {
    assertMissing("policy: null (expected: a policy)", () -> Limiter.builder().build());
    assertMissing("clock: null (expected: a clock)", () -> Limiter.builder().clock(null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limiter.builder().maxBytes(1))
        .withMessage("maxBytes: 1 (expected: 65536..274877906944)");
  }

  @Test
  void build_logThatCannotFit_isRefusedWithTheBytesItNeeds() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Limiter.builder()
                    .policy("1000000/hour")
                    .algorithm(Algorithm.SLIDING_WINDOW_LOG)
                    .maxBytes(1 << 20)
                    .build())
        .withMessageContaining("a log within 1048576 bytes, this needs ");
  }

  @Test
  void build_logOfABillion_isRefusedWithTheBytesItReallyNeeds() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Limiter.builder()
                    .policy("1000000000/hour")
                    .algorithm(Algorithm.SLIDING_WINDOW_LOG)
                    .maxBytes(1L << 38)
                    .build())
        .withMessageMatching(".*a log within 274877906944 bytes, this needs 366\\d{8}\\)");
  }
}
