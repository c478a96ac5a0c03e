package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import io.penstock.core.state.Turn.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Idle keys make room for new ones, live keys never do. */
class ExpiryTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final int LIVE = 100_000;

  private final Rules rules = new Rules();
  private final Turn turn = new Turn();

  private Rule rule(String limit, Algorithm algorithm) {
    return rules.add(Limit.parse(limit), algorithm, /* slot= */ 0, START);
  }

  private boolean isKept(StateTable table, long key, Rule rule, long now, long cost) {
    table.play(turn.of(key, rule, now).asks(Ask.TAKE, cost, /* ticket= */ 0));
    assertThat(turn.step().allowed()).as("a new key has its whole capacity").isTrue();
    return !turn.isFull();
  }

  /** Keys that come once, so many per second that about LIVE of them are live at any time. */
  private void churn(String name, Rule rule, long bytesPerKey, int keys, long lifeNanos) {
    SplittableRandom random = Trial.random(name);
    StateTable table = StateTable.of(rules, LIVE * bytesPerKey);
    long warm = 0;
    for (int i = 0; i < keys; i++) {
      long now = START + i * (lifeNanos / LIVE);
      boolean kept = isKept(table, random.nextLong(), rule, now, rule.limit().capacity());
      if (!kept) {
        assertThat(kept).as("key %d is kept", i).isTrue();
      }
      warm = i == keys / 3 ? table.bytes() : warm;
    }
    assertThat(table.bytes())
        .as("flat after a third, when it was %d", warm)
        .isBetween(warm, Math.min(warm + warm / 10, table.bytesMax()));
    new Inside(table).check();
  }

  @Test
  void play_millionsOfOneTimeKeys_stayWithin24BytesPerLiveOne() {
    int keys = 3_000_000 * Trial.times();
    churn("churn of one word", rule("10/s", Algorithm.GCRA), 24, keys, SECOND);
  }

  @Test
  void play_manyOneTimeKeysOfThreeWords_stayWithin48BytesPerLiveOne() {
    int keys = 500_000 * Trial.times();
    churn("churn of three words", rule("700001/s", Algorithm.GCRA), 48, keys, SECOND);
  }

  @Test
  void play_manyOneTimeLogs_giveTheirBlocksBack() {
    int keys = 400_000 * Trial.times();
    Rule log = rule("3/s", Algorithm.SLIDING_WINDOW_LOG);
    churn("churn of logs", log, 48 + 96, keys, SECOND);
  }

  /**
   * A third of the table lives for an hour; a fifth comes and goes, with room for uneven hashes.
   */
  @Test
  void play_shortLivedKeysBesideLongLived_areNeverRefusedWhileOthersAreIdle() {
    SplittableRandom random = Trial.random("short beside long");
    StateTable table = StateTable.of(rules, 64 << 10);
    Rule rule = rule("1/s burst 3600", Algorithm.GCRA);
    for (int i = 0; i < 1_200; i++) {
      assertThat(isKept(table, random.nextLong(), rule, START, 3_600)).isTrue();
    }
    for (int round = 0; round < 20; round++) {
      long now = START + round * SECOND;
      for (int i = 0; i < 800; i++) {
        assertThat(isKept(table, random.nextLong(), rule, now, 1))
            .as("key %d of round %d, when those of the round before are idle", i, round)
            .isTrue();
      }
    }
  }

  @Test
  void play_fullStripe_hasRoomAgainAtTheNanosecondTheFirstKeyIsIdle() {
    List<Rule> kinds =
        List.of(
            rule("1/hour", Algorithm.GCRA),
            rule("700001/s", Algorithm.GCRA),
            rule("1/hour", Algorithm.SLIDING_WINDOW_LOG));
    SplittableRandom random = Trial.random("full stripe");
    for (Rule rule : kinds) {
      StateTable table = StateTable.of(rules, 128 << 10);
      long cost = rule.limit().capacity();
      long now = START;
      assertThat(isKept(table, oneStripe(random), rule, now, cost)).isTrue();
      long idleAt = turn.step().until;
      do {
        now++;
      } while (isKept(table, oneStripe(random), rule, now, cost));
      assertThat(isKept(table, oneStripe(random), rule, idleAt - 1, cost)).isFalse();
      assertThat(isKept(table, oneStripe(random), rule, idleAt, cost)).isTrue();
      assertThat(isKept(table, oneStripe(random), rule, idleAt, cost)).isFalse();
      new Inside(table).check();
    }
  }

  /** A key whose stripe is the first. */
  private static long oneStripe(SplittableRandom random) {
    return random.nextLong() & ~0xFFFL;
  }

  @Test
  void tryAcquire_tableFullOfLiveKeys_answersByTheFailModeAndCounts() {
    for (FailMode mode : FailMode.values()) {
      AtomicLong now = new AtomicLong(START);
      MemoryLimiter limiter =
          Limiter.builder()
              .policy(Policy.parse("2/min").withFailMode(mode))
              .clock(now::get)
              .maxBytes(64 << 10)
              .build();
      boolean open = mode == FailMode.OPEN;
      List<Long> kept = new ArrayList<>();
      SplittableRandom random = Trial.random("full table " + mode);
      int refused = 0;
      for (int i = 0; i < 20_000; i++) {
        long key = random.nextLong();
        Decision decision = limiter.tryAcquireHash(key, 2);
        if (decision.reason() == Reason.OK) {
          kept.add(key);
        } else {
          refused++;
          assertThat(decision.allowed()).isEqualTo(open);
          assertThat(decision.reason()).isEqualTo(open ? Reason.FAIL_OPEN : Reason.FAIL_CLOSED);
          assertThat(limiter.memory().refused()).isEqualTo(refused);
          assertThat(limiter.isAllowedHash(key)).isEqualTo(open);
          refused++;
        }
      }
      assertThat(kept).as("a key in 24 bytes").hasSizeGreaterThan((64 << 10) / 24);
      for (long key : kept) {
        assertThat(limiter.tryAcquireHash(key, 1).reason()).isEqualTo(Reason.LIMITED);
      }
      now.addAndGet(60 * SECOND);
      for (int i = 0; i < kept.size() / 2; i++) {
        assertThat(limiter.tryAcquireHash(random.nextLong(), 2).reason()).isEqualTo(Reason.OK);
      }
      assertThat(limiter.memory().refused()).isEqualTo(refused);
      assertThat(limiter.memory().bytes()).isLessThanOrEqualTo(limiter.memory().bytesMax());
    }
  }
}
