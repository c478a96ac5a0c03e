package io.penstock.core.state;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.state.Turn.Ask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules that many policies share, and those that come with a request. */
class SharedRulesTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long KEY = 0x1234_5678_9abc_def0L;

  private final Rules rules = new Rules();
  private final StateTable table = StateTable.of(rules, 1 << 20);
  private final Turn turn = new Turn();

  private Rule shared(String limit) {
    return rules.shared(Limit.parse(limit), Algorithm.GCRA);
  }

  private Step take(Rule rule, long now, long cost) {
    return take(rule, now, cost, /* before= */ null);
  }

  private Step take(Rule rule, long now, long cost, @Nullable Rule before) {
    table.play(turn.of(KEY, rule, now).after(before, now).asks(Ask.TAKE, cost, /* ticket= */ 0));
    return turn.step();
  }

  @Test
  void shared_sameLimit_isTheSameRule() {
    assertThat(shared("10/s")).isSameAs(shared("10/s")).isNotSameAs(shared("10/s burst 20"));
  }

  @Test
  void play_movedToAnotherSharedRule_whatIsUsedWhenTouchedStaysUsed() {
    take(shared("10/day"), START, 8);
    assertThat(take(shared("12/day"), START, 0).remaining()).isEqualTo(4);
    assertThat(take(shared("10/day"), START, 1).remaining()).as("and back").isEqualTo(1);
  }

  @Test
  void play_lineThatLeavesASharedRule_isJoinedWhereItBegan() {
    Rule common = shared("1/s burst 100");
    take(common, START, 90);
    Rule first = rules.add(Limit.parse("10/s burst 100"), Algorithm.GCRA, 0, START + 10 * SECOND);
    Rule last = rules.add(Limit.parse("1/s burst 100"), Algorithm.GCRA, 0, START + 15 * SECOND);
    first.after(common);
    first.endsAt(START + 15 * SECOND, last.from(first));
    assertThat(take(last, START + 20 * SECOND, 0).remaining()).isEqualTo(100 - (90 - 10 - 50 - 5));
  }

  /** What follows the rule it left is for others, and so is what follows a line it never was in. */
  @Test
  void play_keyThatLeftALineWhichWentOn_isConvertedWhenItLeft() {
    Rule general = rules.add(Limit.parse("5/s burst 100"), Algorithm.GCRA, 0, START);
    take(general, START, 90);
    Rule first = rules.add(Limit.parse("1/s burst 100"), Algorithm.GCRA, 0, START + 10 * SECOND);
    first.after(general);
    Rule last = rules.add(Limit.parse("2/s burst 100"), Algorithm.GCRA, 0, START + 15 * SECOND);
    last.after(first);
    Rule later = rules.add(Limit.parse("9/s burst 100"), Algorithm.GCRA, 0, START + 20 * SECOND);
    general.endsAt(START + 20 * SECOND, later.from(general));
    assertThat(take(last, START + 25 * SECOND, 0).remaining())
        .isEqualTo(100 - (90 - 10 * 5 - 5 - 10 * 2));
  }

  /**
   * A copy of a state may name the shared rule although its own line had begun when it was made.
   */
  @Test
  void play_sameLimitInALineThatBeganBefore_stateStaysAsItIs() {
    Limit limit = Limit.parse("10/min");
    Rule common = rules.shared(limit, Algorithm.FIXED_WINDOW);
    Rule first = rules.add(limit, Algorithm.FIXED_WINDOW, 0, START);
    first.after(common);
    take(common, START + 600 * SECOND, 8);
    assertThat(take(first, START + 600 * SECOND, 0).remaining()).isEqualTo(2);
  }

  /** Nobody knows since when it was under that rule: what it has used now is what it has used. */
  @Test
  void play_keyOfASharedRuleThatTheLineDidNotBeginWith_isConvertedNow() {
    Rule first = rules.add(Limit.parse("1/s burst 100"), Algorithm.GCRA, 0, START);
    first.after(shared("5/s burst 100"));
    Rule other = shared("10/s burst 100");
    take(other, START + 600 * SECOND, 90);
    assertThat(take(first, START + 602 * SECOND, 0).remaining()).isEqualTo(100 - (90 - 20));
  }

  /** The line goes back further than the key's time under a rule that it shared with others. */
  @Test
  void play_keyThatAloneComesToALine_isConvertedWhenItCame() {
    Rule first = rules.add(Limit.parse("1/s burst 100"), Algorithm.GCRA, 0, START);
    Rule last = rules.add(Limit.parse("2/s burst 100"), Algorithm.GCRA, 0, START + 30 * SECOND);
    first.endsAt(START + 30 * SECOND, last.from(first));
    Rule own = shared("10/s burst 100");
    take(own, START + 10 * SECOND, 90);
    table.play(turn.of(KEY, last, START + 40 * SECOND).after(own, START + 12 * SECOND).asks(0));
    assertThat(turn.step().remaining()).isEqualTo(100 - (90 - 2 * 10 - 18 - 10 * 2));
  }

  @Test
  void play_limitsOfRequests_stateStandsAsItIs() {
    take(Rules.given(Limit.parse("10/s"), Algorithm.GCRA), START, 10);
    Rule slower = Rules.given(Limit.parse("1/s burst 10"), Algorithm.GCRA);
    assertThat(take(slower, START, 0).remaining()).as("a second of ten").isEqualTo(9);
    assertThat(turn.isChanged()).isFalse();
    Rule exact = Rules.given(Limit.parse("300000000/s"), Algorithm.GCRA);
    assertThat(exact.kind()).isNotEqualTo(slower.kind());
    assertThat(take(exact, START, 0).remaining()).as("a second of one").isZero();
  }

  @Test
  void shared_moreLimitsThanNumbers_goWithoutAndAreStillConverted() {
    for (int i = 1; i <= Rules.SHARED_MAX; i++) {
      assertThat(shared(i + "/s").isGiven()).isFalse();
    }
    Rule without = shared("10/day");
    assertThat(without.isGiven()).isTrue();
    take(without, START, 8);
    assertThat(take(shared("12/day"), START, 0, without).remaining()).isEqualTo(4);
    rules.unshare(shared("1/s"), /* successor= */ null, START);
    assertThat(shared("10/day").isGiven()).isFalse();
  }

  @Test
  void unshare_thousandsOfLimits_numbersAreUsedAgain() {
    for (int i = 1; i <= 3 * Rules.NUMBERS; i++) {
      Rule rule = shared(i + "/hour");
      assertThat(rule.isGiven()).isFalse();
      rules.unshare(rule, /* successor= */ null, START);
      table.sweep(START);
    }
  }

  @Test
  void restore_limitsOfRequests_areListedAndPutBackByKind() {
    StateTable from = StateTable.tracked(rules, 1 << 20, /* stripes= */ 16);
    Rule log = Rules.given(Limit.parse("5/min"), Algorithm.SLIDING_WINDOW_LOG);
    from.play(turn.of(KEY, log, START).asks(Ask.TAKE, 3, /* ticket= */ 0));
    StateTable to = StateTable.tracked(rules, 1 << 20, /* stripes= */ 16);
    Restorer restorer = to.tracked().restorer(START);
    from.tracked()
        .list(
            (hash, serial, words, at, length) ->
                restorer.restore(
                    hash,
                    requireNonNull(rules.bySerial(serial)),
                    Arrays.copyOfRange(words, at, at + length),
                    length));
    to.play(turn.of(KEY, log, START).asks(Ask.TAKE, 0, /* ticket= */ 0));
    assertThat(turn.step().remaining()).isEqualTo(2);
  }

  /** Nobody knows when a key came under a shared rule: as of its first check, and once. */
  @Test
  void isPlayed_deniedAfterAChangeWithoutNumbers_isAllowedAfterItsRetry() {
    for (int i = 0; i < Rules.OWN_MAX; i++) {
      assertThat(rules.follow(Limit.parse("1/s"), Algorithm.GCRA, START).isShared()).isFalse();
    }
    String[] before = {"10/15min", "5/day"};
    String[] after = {"12/15min", "3/hour"};
    for (Algorithm algorithm : Algorithm.all()) {
      if (algorithm != Algorithm.CONCURRENCY) {
        long key = KEY + ((long) algorithm.name().hashCode() << 20);
        assertThat(retryAfter(key, algorithm, before, START, 5)).isZero();
        long waits = retryAfter(key, algorithm, after, START + SECOND, 1);
        assertThat(waits).as("%s denies", algorithm.name()).isPositive();
        long later = retryAfter(key, algorithm, after, START + SECOND + waits, 1);
        assertThat(later).as("%s after %d s", algorithm.name(), waits / SECOND).isZero();
      }
    }
  }

  /** How long a check of two limits has to wait; 0 if it is allowed. */
  private long retryAfter(long key, Algorithm algorithm, String[] limits, long now, long cost) {
    Together turns = new Together();
    for (int i = 0; i < limits.length; i++) {
      Rule rule = rules.follow(Limit.parse(limits[i]), algorithm, now);
      assertThat(rule.isShared()).isTrue();
      turns.add(table).of(KeyHash.slot(key, i), rule, now).asks(cost);
    }
    assertThat(turns.isPlayed()).isTrue();
    long waits = 0;
    for (int i = 0; i < limits.length; i++) {
      waits = Math.max(waits, turns.turn(i).step().retryAfterNanos());
    }
    return turns.allowed() ? 0 : waits;
  }
}
