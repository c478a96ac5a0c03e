package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.MapStore;
import io.penstock.core.Step;
import io.penstock.core.Store;
import io.penstock.core.state.Turn.Ask;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One counter that is read by several rules in one check. */
class RivalRulesTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long KEY = 0x1234_5678_9abc_def0L;
  private static final long OTHER = 0x0fed_cba9_8765_4321L;

  private final Rules rules = new Rules();
  private final Together turns = new Together();
  private States place = StateTable.of(rules, 4 << 20);
  private long[] tickets = {};

  /** Two limits for one counter: one of 20 units and one of 30, in either order. */
  static Stream<Arguments> rivals() {
    List<Arguments> all = new ArrayList<>();
    for (boolean stored : List.of(false, true)) {
      for (String name :
          List.of("gcra", "leaky-bucket", "fixed-window", "sliding-window-counter")) {
        all.add(Arguments.of(stored, name, "20/day", "30/day"));
        all.add(Arguments.of(stored, name, "30/day", "20/day"));
      }
      all.add(Arguments.of(stored, "sliding-window-log", "20/day", "30/hour"));
      all.add(Arguments.of(stored, "sliding-window-log", "30/day", "20/day"));
      all.add(
          Arguments.of(stored, "concurrency", "20 concurrent lease 9s", "30 concurrent lease 1h"));
      all.add(
          Arguments.of(stored, "concurrency", "30 concurrent lease 9s", "20 concurrent lease 9s"));
    }
    return all.stream();
  }

  private Rule rule(String algorithm, String limit) {
    String text = limit.replace("1h", "1hour");
    return rules.add(Limit.parse(text), Algorithm.named(algorithm), /* slot= */ 0, START);
  }

  private void isStored(boolean stored) {
    place = stored ? new StoreStates(rules, new MapStore()) : StateTable.of(rules, 4 << 20);
  }

  private boolean play(long key, Ask ask, long now, long units, Rule... asked) {
    turns.clear();
    for (int i = 0; i < asked.length; i++) {
      turns.add(place).of(key, asked[i], now).asks(ask, units, ask == Ask.TAKE ? 0 : tickets[i]);
    }
    assertThat(turns.isPlayed()).isTrue();
    return turns.allowed();
  }

  private boolean take(long key, long now, long units, Rule... asked) {
    return play(key, Ask.TAKE, now, units, asked);
  }

  private long left(Rule rule, long now) {
    take(KEY, now, 0, rule);
    return turns.turn(0).step().remaining();
  }

  /** Notes the tickets of what was just taken, to give back or renew. */
  private void noteTickets() {
    tickets = new long[turns.size()];
    for (int i = 0; i < tickets.length; i++) {
      tickets[i] = turns.turn(i).step().ticket();
    }
  }

  @ParameterizedTest
  @MethodSource("rivals")
  void take_twoRulesOfOneCounter_countTheSumOnceAndKeepBothLimits(
      boolean stored, String algorithm, String one, String other) {
    isStored(stored);
    Rule a = rule(algorithm, one);
    Rule b = rule(algorithm, other);
    for (long pair = 1; pair <= 10; pair++) {
      assertThat(take(KEY, START, 1, a, b)).isTrue();
      Step first = turns.turn(0).step();
      Step second = turns.turn(1).step();
      assertThat(first.remaining()).isEqualTo(a.capacity() - 2 * pair);
      assertThat(second.remaining()).isEqualTo(b.capacity() - 2 * pair);
    }
    boolean firstIsTighter = a.capacity() < b.capacity();
    assertThat(take(KEY, START, 1, a, b)).isFalse();
    assertThat(turns.turn(0).step().allowed()).isEqualTo(!firstIsTighter);
    assertThat(turns.turn(1).step().allowed()).isEqualTo(firstIsTighter);
    assertThat(turns.turn(firstIsTighter ? 1 : 0).step().remaining()).as("untaken").isEqualTo(10);
    assertThat(left(a, START)).isEqualTo(a.capacity() - 20);
    assertThat(left(b, START)).isEqualTo(b.capacity() - 20);
  }

  @ParameterizedTest
  @MethodSource("rivals")
  void giveBack_ofWhatTwoRulesTook_comesBackOnceAndNothingOfOthers(
      boolean stored, String algorithm, String one, String other) {
    isStored(stored);
    Rule a = rule(algorithm, one);
    Rule b = rule(algorithm, other);
    assertThat(take(KEY, START, 3, a)).isTrue();
    assertThat(take(KEY, START + 1, 2, a, b, a)).isTrue();
    noteTickets();
    assertThat(left(b, START + 2)).isEqualTo(b.capacity() - 9);
    play(KEY, Ask.GIVE_BACK, START + 2, 2, a, b, a);
    assertThat(left(a, START + 2)).isLessThanOrEqualTo(a.capacity() - 3);
    assertThat(left(b, START + 2)).isBetween(b.capacity() - 4, b.capacity() - 3);
  }

  /** At one instant nothing comes back by itself, so what is out is what both rules count. */
  @ParameterizedTest
  @MethodSource("rivals")
  void giveBack_atRandom_isNeverMoreThanWasTaken(
      boolean stored, String algorithm, String one, String other) {
    isStored(stored);
    Rule a = rule(algorithm, one);
    Rule b = rule(algorithm, other);
    SplittableRandom random = new SplittableRandom(11);
    IdentityHashMap<long[], Long> out = new IdentityHashMap<>();
    for (int i = 0; i < 300; i++) {
      long units = 1 + random.nextLong(3);
      if (random.nextBoolean() && take(KEY, START, units, a, b)) {
        noteTickets();
        out.put(tickets, units);
      } else if (!out.isEmpty()) {
        tickets = out.keySet().iterator().next();
        play(KEY, Ask.GIVE_BACK, START, out.remove(tickets), a, b);
      }
      long used = 2 * out.values().stream().mapToLong(Long::longValue).sum();
      assertThat(left(a, START)).isEqualTo(a.capacity() - used);
      assertThat(left(b, START)).isEqualTo(b.capacity() - used);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void take_stateCannotBeKept_isUnknownToBothRules(boolean failsOpen) {
    Store full =
        new Store() {
          @Override
          public long @Nullable [] get(long key) {
            return null;
          }

          @Override
          public void remove(long key) {}

          @Override
          public void put(long key, long[] state) {
            throw new IllegalStateException("full");
          }
        };
    place = new StoreStates(rules, full);
    turns.clear();
    for (String limit : List.of("20/day", "30/day")) {
      turns
          .add(place)
          .of(KEY, rule("gcra", limit), START)
          .failsOpen(failsOpen)
          .asks(Ask.TAKE, 1, /* ticket= */ 0);
    }
    assertThat(turns.isPlayed()).isTrue();
    assertThat(turns.allowed()).isEqualTo(failsOpen);
    assertThat(turns.turn(0).isFull() && turns.turn(1).isFull()).isTrue();
  }

  @Test
  void charge_besideGivingBack_givesNothingBack() {
    Rule held = rule("concurrency", "20 concurrent lease 1h");
    Rule rate = rule("gcra", "30/day");
    take(KEY, START, 6, rate);
    turns.clear();
    turns.add(place).of(KEY, held, START).asks(Ask.GIVE_BACK, 1, /* ticket= */ 0);
    turns.add(place).of(KEY, rate, START).asks(Ask.CHARGE, 4, /* ticket= */ 0);
    assertThat(turns.isPlayed() && turns.allowed()).isTrue();
    assertThat(left(rate, START)).isEqualTo(30 - 6 - 4);
  }

  @Test
  void giveBack_besideALook_isOfItsOwnTicket() {
    Rule log = rule("sliding-window-log", "30/day");
    take(KEY, START, 5, log);
    noteTickets();
    take(KEY, START + SECOND, 5, log);
    turns.clear();
    turns.add(place).of(KEY, log, START + 2 * SECOND).asks(Ask.TAKE, 0, /* ticket= */ 0);
    turns.add(place).of(KEY, log, START + 2 * SECOND).asks(Ask.GIVE_BACK, 5, tickets[0]);
    assertThat(turns.isPlayed() && turns.allowed()).isTrue();
    long firstIsOver = START + 86_400 * SECOND;
    assertThat(left(log, firstIsOver)).as("the second five").isEqualTo(25);
  }

  @Test
  void take_oneRuleForgetsSooner_keepsWhatTheOtherCounts() {
    Rule hour = rule("fixed-window", "30/hour");
    Rule day = rule("fixed-window", "40/day");
    long now = START - START % (86_400 * SECOND);
    int admitted = 0;
    for (long i = 0; i < 23; i++) {
      admitted += take(KEY, now + i * 3_600 * SECOND, 5, hour, day) ? 10 : 0;
    }
    assertThat(admitted).isLessThanOrEqualTo(40);
  }

  /** Blocks of logs that were given back twice were those of two keys, and then of none. */
  @ParameterizedTest
  @MethodSource("rivals")
  void play_atRandom_leavesOtherKeysTheirs(
      boolean stored, String algorithm, String one, String other) {
    isStored(stored);
    Rule[] asked = {
      rule(algorithm, one), rule(algorithm, other), rule("leaky-queue", "25/s burst 40")
    };
    Rule log = rule("sliding-window-log", "50/day");
    Rule own = rule("concurrency", "50 concurrent lease 1h");
    SplittableRandom random = new SplittableRandom(7);
    long now = START;
    for (int i = 1; i <= 2_000; i++) {
      now += random.nextInt(4) == 0 ? random.nextLong(20 * SECOND) : 0;
      Rule a = asked[random.nextInt(3)];
      Rule b = asked[random.nextInt(3)];
      long key = KEY + random.nextInt(3);
      if (take(key, now, random.nextInt(4), a, b, a) && random.nextBoolean()) {
        noteTickets();
        Ask ask = random.nextBoolean() ? Ask.GIVE_BACK : Ask.RENEW;
        play(key, ask, now, random.nextInt(4), a, b, a);
      }
      if (i % 100 == 0) {
        long rest = 50 - i / 100L;
        assertThat(take(OTHER, START + i, 1, log)).isTrue();
        assertThat(turns.turn(0).step().remaining()).isEqualTo(rest);
        assertThat(take(OTHER + 1, START + i, 1, own)).isTrue();
        assertThat(turns.turn(0).step().remaining()).isEqualTo(rest);
      }
    }
  }
}
