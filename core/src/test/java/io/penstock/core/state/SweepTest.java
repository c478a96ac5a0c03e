package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.state.Turn.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The numbers of rules come round, and no state is ever read by a rule it was not written by. */
class SweepTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final int CHANGES = 10_000;

  /** A policy of each kind of state, 1,000 or a few more per hour or held for one. */
  private static Policy policy(int number) {
    List<Algorithm> algorithms = Algorithm.all();
    Algorithm algorithm = algorithms.get(number % algorithms.size());
    int count = 1_000 + number % 7;
    String form = algorithm == Algorithm.CONCURRENCY ? "%d concurrent lease hour" : "%d/hour";
    Limit limit = Limit.parse(String.format(java.util.Locale.ROOT, form, count));
    return new Policy(List.of(limit), algorithm, FailMode.CLOSED);
  }

  @Test
  void update_tenThousandTimes_whatWasUsedStaysUsed() {
    SplittableRandom random = Trial.random("update_tenThousandTimes");
    MemoryLimiter limiter = Limiter.builder().policy("1000/hour").clock(() -> START).build();
    long[] keys = random.longs(300).toArray();
    long[] used = new long[keys.length];
    int first = random.nextInt(1_000);
    for (int i = 0; i < CHANGES; i++) {
      limiter.update(policy(first + i));
      int key = random.nextInt(keys.length);
      if (used[key] < 900 && limiter.tryAcquireHash(keys[key], 1).allowed()) {
        used[key]++;
      }
    }
    limiter.update(Policy.parse("1000/hour"));
    for (int i = 0; i < keys.length; i++) {
      assertThat(limiter.tryAcquireHash(keys[i], 0).remaining())
          .as("key %d", i)
          .isEqualTo(1_000 - used[i]);
    }
    assertThat(limiter.memory().refused()).isZero();
  }

  /** While time passes nobody gets more than a hair above what the hour allows, and none less. */
  @Test
  void update_tenThousandTimesWhileTimePasses_neverGivesAFreshBurst() {
    AtomicLong now = new AtomicLong(START);
    MemoryLimiter limiter =
        Limiter.builder().policy("1000/hour").clock(now::get).maxBytes(1 << 20).build();
    for (int key = 0; key < 100; key++) {
      assertThat(limiter.tryAcquireHash(key * 0x9E37_79B9_7F4A_7C15L, 1_000).allowed()).isTrue();
    }
    for (int i = 0; i < CHANGES; i++) {
      now.addAndGet(SECOND / 100_000);
      limiter.update(Policy.parse(1_000 + i % 2 + "/hour"));
    }
    limiter.update(Policy.parse("1000/hour"));
    for (int key = 0; key < 100; key++) {
      assertThat(limiter.tryAcquireHash(key * 0x9E37_79B9_7F4A_7C15L, 0).remaining()).isZero();
    }
  }

  private final Rules rules = new Rules();
  private final Turn turn = new Turn();
  private final List<Rule> chain = new ArrayList<>();

  /** Replaces the rule in force as an update of a policy does. */
  private Rule change(StateTable table, String limit, Algorithm algorithm, long now) {
    Rule next = follow(Limit.parse(limit), algorithm, now);
    table.sweep(now);
    return next;
  }

  private Rule follow(Limit limit, Algorithm algorithm, long now) {
    Rule next = rules.add(limit, algorithm, /* slot= */ 0, now);
    if (!chain.isEmpty()) {
      chain.get(chain.size() - 1).endsAt(now, next);
    }
    chain.add(next);
    return next;
  }

  private long remaining(StateTable table, long key, Rule rule, long now) {
    table.play(turn.of(key, rule, now).asks(Ask.TAKE, 0, 0));
    assertThat(turn.isFull()).isFalse();
    return turn.step().remaining();
  }

  private boolean isTaken(StateTable table, long key, Rule rule, long now, long cost) {
    table.play(turn.of(key, rule, now).asks(Ask.TAKE, cost, 0));
    return turn.step().allowed() && !turn.isFull();
  }

  @Test
  void sweep_stateThatIsIdleUnderTheNextRule_doesNotComeBackWithItsNumber() {
    StateTable table = StateTable.of(rules, 1 << 20);
    Rule slow = change(table, "1/day", Algorithm.GCRA, START);
    assertThat(isTaken(table, 1L << 40, slow, START, 1)).isTrue();
    change(table, "1000/s", Algorithm.GCRA, START);
    long now = START + SECOND;
    Rule last = change(table, "999/s", Algorithm.GCRA, now);
    while (last.number() != slow.number()) {
      last = change(table, last.serial() % 2 == 0 ? "1/day" : "2/day", Algorithm.GCRA, now);
    }
    assertThat(remaining(table, 1L << 40, last, now)).isEqualTo(last.limit().count());
  }

  @Test
  void sweep_fullCircle_leavesNoStateOfAnEndedRule() {
    SplittableRandom random = Trial.random("sweep_fullCircle");
    StateTable table = StateTable.of(rules, 4 << 20);
    Rule first = change(table, "1/day", Algorithm.GCRA, START);
    for (int i = 0; i < 500; i++) {
      assertThat(isTaken(table, random.nextLong(), first, START, 1)).isTrue();
    }
    for (int i = 0; i < Sweep.PAUSE + Sweep.CIRCLE; i++) {
      change(table, 1 + i % 3 + "/day", kindOf(i / 700), START + i);
    }
    Inside inside = new Inside(table);
    inside.check();
    long oldest = chain.get(Sweep.PAUSE - 1).serial();
    for (int stripe = 0; stripe < table.cells().stripes().count(); stripe++) {
      for (Inside.Slot slot : inside.slots(stripe)) {
        Rule rule = table.cells().rule(slot.header());
        assertThat(rule == null || rule.serial() >= oldest).as("%s", slot).isTrue();
      }
    }
  }

  private static Algorithm kindOf(int number) {
    List<Algorithm> kinds =
        List.of(Algorithm.GCRA, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_LOG);
    return kinds.get(number % kinds.size());
  }

  @Test
  void sweep_oneRuleAdded_visitsNoStripeOrAFewOfMany() {
    for (long bytes : new long[] {1 << 20, 64 << 20, 300 << 20}) {
      chain.clear();
      StateTable table = StateTable.of(rules, bytes);
      int stripes = table.cells().stripes().count();
      SplittableRandom random = new SplittableRandom(bytes);
      Rule first = change(table, "1/day", Algorithm.GCRA, START);
      for (int i = 0; i < 10 * stripes; i++) {
        assertThat(isTaken(table, random.nextLong(), first, START, 1)).isTrue();
      }
      int visited = visited(table, 2);
      int unvisited = 0;
      for (int i = 0; i < Sweep.PAUSE + stripes / Sweep.CIRCLE; i++) {
        int next = visited(table, 2 + i % 2);
        unvisited += next == 0 ? 1 : 0;
        visited = Math.max(visited, next);
      }
      assertThat(unvisited).as("a circle, and then a pause").isGreaterThan(Sweep.PAUSE / 4);
      assertThat(visited).as("of %d stripes", stripes).isBetween(1, stripes / Sweep.CIRCLE + 1);
    }
  }

  /** How many stripes are written to because a rule changes. */
  private int visited(StateTable table, int count) {
    long[] before = words(table);
    change(table, count + "/day", Algorithm.GCRA, START);
    long[] after = words(table);
    int visited = 0;
    for (int i = 0; i < before.length; i++) {
      visited += before[i] == after[i] ? 0 : 1;
    }
    return visited;
  }

  private static long[] words(StateTable table) {
    long[] words = new long[table.cells().stripes().count()];
    java.util.Arrays.setAll(words, table.cells().stripes()::note);
    return words;
  }

  @Test
  void sweep_limitDroppedForGood_isForgottenBeforeItsNumberReturns() {
    StateTable table = StateTable.of(rules, 1 << 20);
    Rule dropped = change(table, "1/day", Algorithm.GCRA, START);
    assertThat(isTaken(table, 1L << 40, dropped, START, 1)).isTrue();
    dropped.endsAt(START, null);
    chain.clear();
    Rule other = change(table, "5/day", Algorithm.GCRA, START);
    while (other.number() != dropped.number()) {
      other = change(table, "5/day", Algorithm.GCRA, START);
    }
    assertThat(remaining(table, 1L << 40, other, START)).isEqualTo(5);
  }

  /** States that find no slot of the kind the next rule needs stay where they are: until when? */
  @Test
  void sweep_tableTooFullForAnotherKind_neverReadsAStateByAnotherRule() {
    StateTable table = StateTable.tracked(rules, /* bytesMax= */ 512, /* stripes= */ 1);
    SplittableRandom random = Trial.random("sweep_tableTooFull");
    Rule narrow = change(table, "10/day", Algorithm.GCRA, START);
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      long key = random.nextLong();
      if (isTaken(table, key, narrow, START, 10)) {
        keys.add(key);
      }
    }
    Rule wide = change(table, "10/day", Algorithm.FIXED_WINDOW, START);
    for (int i = 0; i < Rules.NUMBERS + 10; i++) {
      wide = follow(wide.limit(), Algorithm.FIXED_WINDOW, START);
      if (i % (Sweep.CIRCLE / 2) == 0) {
        table.sweep(START);
      }
    }
    table.tracked().forgetChanges();
    for (long key : keys) {
      table.play(turn.of(key, wide, START).asks(Ask.TAKE, 2, 0));
      assertThat(turn.step().allowed()).as("no fresh burst").isFalse();
      assertThat(turn.isFull()).as("a denial needs no memory").isFalse();
    }
  }
}
