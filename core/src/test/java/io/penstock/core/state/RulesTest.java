package io.penstock.core.state;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.Step;
import io.penstock.core.state.Turn.Ask;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What was used stays used while rules follow each other, whoever looks and when. */
class RulesTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;
  private static final long KEY = 0x1234_5678_9abc_def0L;

  private final Rules rules = new Rules();
  private final StateTable table = StateTable.of(rules, 1 << 20);
  private final Turn turn = new Turn();

  private Rule rule(String limit, long since) {
    return rules.add(Limit.parse(limit), Algorithm.GCRA, /* slot= */ 0, since);
  }

  private Step take(Rule rule, long now, long cost) {
    table.play(turn.of(KEY, rule, now).asks(Ask.TAKE, cost, /* ticket= */ 0));
    return turn.step();
  }

  @Test
  void add_moreRulesThanNumbers_numbersComeRoundAndSerialsDoNot() {
    Set<Long> serials = new HashSet<>();
    for (int i = 0; i < 2 * Rules.NUMBERS + 10; i++) {
      Rule rule = rule("1/s", START);
      assertThat(rule.number()).isBetween(1, Rules.NUMBERS);
      assertThat(rules.get(rule.number())).isSameAs(rule);
      serials.add(rule.serial());
      rule.endsAt(START, null);
      table.sweep(START);
    }
    assertThat(serials).hasSize(2 * Rules.NUMBERS + 10);
    assertThat(rules.get(Rules.NOBODY)).isNull();
  }

  /** Of rules that follow each other the latest 65,536 are known, and those that hold yet. */
  @Test
  void bySerial_rulesOfLongAgo_areForgottenIfTheirNumbersAre() {
    Rules stored = new Rules();
    Limit limit = Limit.parse("10/day");
    Rule lasting = stored.add(limit, Algorithm.GCRA, /* slot= */ 0, START);
    Rule late = stored.add(limit, Algorithm.GCRA, /* slot= */ 0, START);
    Rule last = lasting;
    for (int i = 0; i < 150_000; i++) {
      last = stored.add(limit, Algorithm.GCRA, /* slot= */ 0, START);
      last.endsAt(START, null);
      if (i == 120_000) {
        late.endsAt(START, null);
      }
      if (i % 500 == 0) {
        stored.sweptWithoutStates(START);
      }
    }
    long oldest = last.serial() - 65_536;
    assertThat(stored.bySerial(lasting.serial())).isSameAs(lasting);
    assertThat(stored.bySerial(last.serial())).isSameAs(last);
    assertThat(stored.bySerial(oldest + 1)).isNotNull();
    for (long serial = lasting.serial() + 1; serial <= oldest; serial++) {
      assertThat(stored.bySerial(serial)).as("of %d", last.serial()).isNull();
    }
  }

  /** As many rules as there are numbers, one of which is over. */
  private Rule overAmongAll() {
    Rule over = rule("1/s", START);
    over.endsAt(START, null);
    for (int i = 1; i < Rules.NUMBERS; i++) {
      rule("1/s", START);
    }
    return over;
  }

  @Test
  void r12_twoTables_numberIsGivenAgainWhenBothHaveRewrittenTheirStates() {
    Rules.Circle other = rules.join();
    Rule over = overAmongAll();
    for (int i = 0; i <= Sweep.CIRCLE; i++) {
      table.sweep(START);
    }
    assertThatThrownBy(() -> rule("2/s", START)).isInstanceOf(IllegalStateException.class);

    rules.beginCircle(other, START);
    rules.endCircle(other);
    assertThat(rule("2/s", START).number()).isEqualTo(over.number());
  }

  @Test
  void r12_tableThatLeft_isNotWaitedFor() {
    Rules.Circle other = rules.join();
    Rule over = overAmongAll();
    for (int i = 0; i <= Sweep.CIRCLE; i++) {
      table.sweep(START);
    }
    rules.leave(other);
    assertThat(rule("2/s", START).number()).isEqualTo(over.number());
  }

  @Test
  void play_keyLeftAloneThroughSeveralRules_drainsAtTheRatesThatWereInForce() {
    Rule slow = rule("1/s burst 100", START);
    take(slow, START, 90);
    Rule fast = rule("10/s burst 100", START + 10 * SECOND);
    slow.endsAt(START + 10 * SECOND, fast);
    Rule slowAgain = rule("1/s burst 100", START + 15 * SECOND);
    fast.endsAt(START + 15 * SECOND, slowAgain);
    assertThat(take(slowAgain, START + 20 * SECOND, 0).remaining())
        .isEqualTo(100 - (90 - 10 - 50 - 5));
  }

  @Test
  void play_ruleNotInForceYet_isDecidedAtItsBeginning() {
    Rule later = rule("10/s", START + SECOND);
    assertThat(take(later, START, 10).allowed()).isTrue();
    assertThat(take(later, START + SECOND, 1).retryAfterNanos()).isEqualTo(SECOND / 10);
  }

  /** Another thread read the policy just before it changed, and decides just after. */
  @Test
  void play_byThePolicyBefore_isNotDecided() {
    Rule before = rule("20/s", START);
    long change = START + 10 * DAY;
    Rule after = rule("200/s", change);
    before.endsAt(change, after);
    take(before, change, 1);
    assertThat(turn.isOutdated()).as("a key that has no state").isTrue();
    assertThat(take(after, change, 10).remaining()).isEqualTo(190);
    take(before, change - 1, 1);
    assertThat(turn.isOutdated()).as("its clock is behind, but the state is not").isTrue();
    assertThat(take(after, change, 0).remaining()).isEqualTo(190);
  }

  /** A thread slept through so many changes that the number of its rule is another's by now. */
  @Test
  void play_byAPolicyOfLongAgo_isNotDecided() {
    Rule before = rule("20/s", START);
    take(before, START, 20);
    Rule last = before;
    for (int i = 0; i == 0 || last.number() != before.number(); i++) {
      Rule next = rule(1 + i % 2 + "/day", START);
      last.endsAt(START, next);
      table.sweep(START);
      last = next;
    }
    long another = KEY ^ 1L << 40;
    table.play(turn.of(another, before, START - 1).asks(Ask.TAKE, 1, /* ticket= */ 0));
    assertThat(turn.isOutdated()).isTrue();
    assertThat(take(last, START, 0).remaining()).as("all 20 stay used").isZero();
    ShortWay shortWay = requireNonNull(table.shortWay());
    assertThat(shortWay.take(KEY, before, START, 1))
        .as("the slot has the number of this rule, and another wrote it")
        .isEqualTo(ShortWay.UNUSUAL);
    Takes takes = new Takes(/* capacity= */ 2);
    takes.at(START);
    takes.add(KEY, 1);
    takes.add(KEY, 1);
    assertThat(shortWay.takeAll(takes, /* from= */ 0, before)).isZero();
    table.play(turn.of(another, last, START).asks(Ask.TAKE, 0, /* ticket= */ 0));
    assertThat(turn.step().remaining()).isEqualTo(last.limit().count());
  }

  /** A rule is in force for long, while thousands of others come and go, and then it ends. */
  @Test
  void add_ruleThatHasJustEnded_keepsItsNumberUntilItsStatesAreRewritten() {
    Rule lasting = rule("10/day", START);
    for (int key = 0; key < 64; key++) {
      table.play(turn.of(KEY + key, lasting, START).asks(Ask.TAKE, 8, /* ticket= */ 0));
    }
    for (int i = 0; i < Rules.NUMBERS - 10; i++) {
      rule("1/s", START).endsAt(START, null);
      table.sweep(START);
    }
    Rule after = rule("11/day", START);
    lasting.endsAt(START, after);
    for (int i = 0; i < 20; i++) {
      Rule another = rule("5/s", START);
      assertThat(another.number()).isNotEqualTo(lasting.number());
      another.endsAt(START, null);
    }
    for (int key = 0; key < 64; key++) {
      table.play(turn.of(KEY + key, after, START).asks(Ask.TAKE, 0, /* ticket= */ 0));
      assertThat(turn.step().remaining()).isEqualTo(3);
    }
  }

  @Test
  void play_ruleOfOneKeyThatEnds_goesOnUnderTheGeneralOne() {
    Rule general = rule("10/s", START);
    take(general, START, 10);
    long from = START + SECOND / 2;
    Rule own = rule("100/s", from);
    own.endsAt(from + SECOND / 10, general);
    assertThat(take(own, from, 45).remaining()).as("5 of the 10 were left").isEqualTo(50);
    assertThat(take(general, from + SECOND / 10, 1).retryAfterNanos())
        .as("50 less 10, and room for one of 10 in 31 tenths of a second")
        .isEqualTo(31 * SECOND / 10);
  }

  /** Its clock is behind: what another has brought to the rule that followed stays there. */
  @Test
  void play_byARuleThatHasEnded_doesNotTakeBackWhatAllShare() {
    Rule shared = rules.shared(Limit.parse("10/s"), Algorithm.GCRA);
    Rule own = rule("10/day", START);
    own.endsAt(START + DAY, shared);
    take(shared, START + DAY + 1, 1);
    take(own, START + DAY - 1, 0);
    assertThat(take(shared, START + DAY + 2, 0).remaining()).isGreaterThanOrEqualTo(8);
  }

  @Test
  void play_limitThatReturnsAfterItWasDropped_countsOnFromWhereItWas() {
    Rule dropped = rule("10/hour", START);
    take(dropped, START, 8);
    dropped.endsAt(START + SECOND, null);
    Rule back = rule("10/hour", START + 2 * SECOND);
    assertThat(take(back, START + 2 * SECOND, 0).remaining()).isEqualTo(2);
  }

  @Test
  void override_ofThousandsOfOtherKeys_leavesTheRuleInForceItsNumber() {
    AtomicLong now = new AtomicLong(START);
    MemoryLimiter limiter = Limiter.builder().policy("10/day").clock(now::get).build();
    limiter.tryAcquire("k", 8);
    for (int i = 0; i < 5_000; i++) {
      now.addAndGet(2 * SECOND);
      Instant until = Instant.ofEpochSecond(0, now.get() + SECOND);
      limiter.override("other" + i, Policy.parse("1000/s"), until);
      limiter.tryAcquire("other" + i, 1);
    }
    assertThat(limiter.peek("k").remaining()).isBetween(2L, 3L);
  }

  /** As many overrides as there may be, and a policy of many limits that changes all the time. */
  @Test
  void update_whileAsManyKeysAsMayBeAreOverridden_findsNumbers() {
    MemoryLimiter limiter = Limiter.builder().policy("10/day").clock(() -> START).build();
    limiter.tryAcquire("k", 8);
    for (int i = 0; i < 2_047; i++) {
      limiter.override("other" + i, Policy.parse("1000/s"), Instant.MAX);
    }
    for (int i = 0; i < 1_000; i++) {
      limiter.update(Policy.parse(10 + i % 2 + "/day; 7/s; 77/min; 777/hour"));
    }
    limiter.update(Policy.parse("10/day"));
    assertThat(limiter.peek("k").remaining()).isEqualTo(2);
  }

  @Test
  void block_overriddenKey_leavesTheOverride() {
    AtomicLong now = new AtomicLong(START);
    MemoryLimiter limiter = Limiter.builder().policy("10/min").clock(now::get).build();
    limiter.override("k", Policy.parse("1000/min"), Instant.MAX);
    now.addAndGet(1_800 * SECOND);
    limiter.tryAcquire("k", 5);
    limiter.block("k", Instant.MAX);
    assertThat(limiter.tryAcquire("k").allowed()).isFalse();
    limiter.block("k", Instant.EPOCH);
    assertThat(limiter.peek("k").remaining()).isEqualTo(995);
  }

  @Test
  void override_keyNotTouchedForAWhile_keepsWhatItHasUsed() {
    AtomicLong now = new AtomicLong(START);
    MemoryLimiter limiter =
        Limiter.builder().policy("100/s").clock(now::get).maxBytes(64 << 10).build();
    assertThat(limiter.tryAcquire("slow", 100).allowed()).isTrue();
    limiter.override("slow", Policy.parse("100/hour"), Instant.MAX);
    now.addAndGet(2 * SECOND);
    for (int i = 0; i < 20_000; i++) {
      now.addAndGet(SECOND / 1_000);
      limiter.tryAcquire("other" + i, 100);
    }
    assertThat(limiter.tryAcquire("slow", 2).allowed()).isFalse();
  }
}
