package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Memory is never full for a log of any length while enough of it belongs to idle ones. */
class LogRoomTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3_600_000_000_000L;

  private final Rules rules = new Rules();
  private final Turn turn = new Turn();

  private Rule rule(String limit, Algorithm algorithm) {
    return rules.add(Limit.parse(limit), algorithm, /* slot= */ 0, START);
  }

  private boolean isKept(StateTable table, long key, Rule rule, long now) {
    table.play(turn.of(key, rule, now).asks(Ask.TAKE, /* cost= */ 1, /* ticket= */ 0));
    return turn.step().allowed() && !turn.isFull();
  }

  /** Keys that take one unit each, a nanosecond apart, until there is no room for more. */
  private List<Long> fill(StateTable table, Rule rule, SplittableRandom random, long from) {
    List<Long> keys = new ArrayList<>();
    long key = random.nextLong();
    for (long now = from; isKept(table, key, rule, now); now++) {
      keys.add(key);
      key = random.nextLong();
    }
    return keys;
  }

  /** Logs of full length, until one finds no room for another entry. */
  private void fillWithLogs(StateTable table, Rule rule, SplittableRandom random, long from) {
    long key = random.nextLong();
    for (long now = from; isKept(table, key, rule, now) || !turn.isFull(); now++) {
      key = turn.step().allowed() ? key : random.nextLong();
    }
  }

  private void takeAll(StateTable table, Rule rule, long key, long from) {
    for (long i = 0; i < rule.limit().count(); i++) {
      if (!isKept(table, key, rule, from + i)) {
        fail("unit %d of %s is not kept", i, rule.limit());
      }
    }
    assertThat(isKept(table, key, rule, from + rule.limit().count())).isFalse();
    assertThat(turn.isFull()).as("denied, not refused").isFalse();
  }

  @Test
  void play_tableFullOfIdleShortLogs_hasRoomForLongOnes() {
    SplittableRandom random = Trial.random("idle short logs");
    for (int megabytes : new int[] {1, 4}) {
      for (String count : List.of("5", "64", "1000")) {
        isRoomFor(rule(count + "/s", Algorithm.SLIDING_WINDOW_LOG), megabytes, random);
        Rule held = rule(count + " concurrent lease 1s", Algorithm.CONCURRENCY);
        isRoomFor(held, megabytes, random);
      }
    }
    isRoomFor(rule("20000/s", Algorithm.SLIDING_WINDOW_LOG), /* megabytes= */ 16, random);
  }

  private void isRoomFor(Rule rule, int megabytes, SplittableRandom random) {
    StateTable table = StateTable.of(rules, (long) megabytes << 20);
    fill(table, rule, random, START);
    for (int key = 0; key < 3; key++) {
      takeAll(table, rule, random.nextLong(), START + HOUR + key);
    }
    new Inside(table).check();
  }

  @Test
  void play_tableFullOfIdleLongLogs_hasRoomForShortOnes() {
    SplittableRandom random = Trial.random("idle long logs");
    StateTable table = StateTable.of(rules, 4 << 20);
    Rule rule = rule("1000/s", Algorithm.SLIDING_WINDOW_LOG);
    int shortOnes = fill(table, rule, random, START).size();
    fillWithLogs(table, rule, random, START + HOUR);
    int again = fill(table, rule, random, START + 2 * HOUR).size();
    assertThat(again).isGreaterThan(shortOnes * 9 / 10);
    new Inside(table).check();
  }

  /** The same, and as many keys again, of which some still find room. */
  private int flood(StateTable table, Rule rule, SplittableRandom random) {
    int kept = fill(table, rule, random, START).size();
    for (int i = kept; i > 0; i--) {
      kept += isKept(table, random.nextLong(), rule, START + i) ? 1 : 0;
    }
    return kept;
  }

  /**
   * Keys of a bucket fill every slot, and a log needs one too: it finds room when they are idle.
   */
  @Test
  void play_afterAFloodOfKeys_hasRoomForSomeLogs() {
    SplittableRandom random = Trial.random("logs after keys");
    Rule key = rule("1/hour", Algorithm.GCRA);
    Rule log = rule("50/day", Algorithm.SLIDING_WINDOW_LOG);
    StateTable table = StateTable.of(rules, 4 << 20);
    for (int i = 0; i < 3; i++) {
      takeAll(table, log, i, START);
    }
    assertThat(flood(table, key, random)).isGreaterThan(4 << 20 >> 5);
    for (int i = 0; i < 3; i++) {
      assertThat(isKept(table, i, log, START + 50)).isFalse();
      assertThat(turn.isFull()).as("in use and not refused").isFalse();
    }
    for (int i = 0; i < 50; i++) {
      takeAll(table, log, random.nextLong(), START + 2 * HOUR + i);
    }
    new Inside(table).check();
  }

  @Test
  void play_duringAFloodOfLogs_hasRoomForMostKeys() {
    SplittableRandom random = Trial.random("keys beside logs");
    Rule key = rule("1/day", Algorithm.GCRA);
    StateTable table = StateTable.of(rules, 4 << 20);
    fillWithLogs(table, rule("1000/day", Algorithm.SLIDING_WINDOW_LOG), random, START);
    int kept = 0;
    for (int i = 0; i < 10_000; i++) {
      kept += isKept(table, random.nextLong(), key, START + i) ? 1 : 0;
    }
    assertThat(kept).isGreaterThan(9_000);
    new Inside(table).check();
  }

  /** Logs that leave no block of any size, but free slots. */
  private void fillBlocks(StateTable table, String period, SplittableRandom random) {
    table.cells().pages().expect(/* slots= */ 20_000);
    Rule rule = rule("500/" + period, Algorithm.SLIDING_WINDOW_LOG);
    fillWithLogs(table, rule, random, START);
    fill(table, rule("3/" + period, Algorithm.SLIDING_WINDOW_LOG), random, START + SECOND / 2);
  }

  /** In several tables: where the slot of an idle log lies in the way, its block comes with it. */
  @Test
  void play_policyOfAKeyBecomesALogAmongIdleOnes_hasRoomForIt() {
    SplittableRandom random = Trial.random("becomes a log");
    for (int i = 0; i < 10; i++) {
      StateTable table = StateTable.of(rules, 1 << 20);
      Rule before = rule("5/day", Algorithm.GCRA);
      long key = random.nextLong();
      assertThat(isKept(table, key, before, START)).isTrue();
      fillBlocks(table, "s", random);
      Rule log = rule("5/day", Algorithm.SLIDING_WINDOW_LOG);
      before.endsAt(START + HOUR, log);
      assertThat(isKept(table, key, log, START + HOUR)).as("table %d", i).isTrue();
      assertThat(turn.step().remaining()).isEqualTo(3);
      new Inside(table).check();
    }
  }

  /** A look takes nothing, so it needs no room: neither alone nor beside another. */
  @Test
  void play_lookAtAKeyWhoseLogFindsNoRoom_saysWhatIsLeft() {
    SplittableRandom random = Trial.random("look without room");
    StateTable table = StateTable.of(rules, 1 << 20);
    Rule before = rule("5/day", Algorithm.GCRA);
    long key = random.nextLong();
    assertThat(isKept(table, key, before, START)).isTrue();
    fillBlocks(table, "day", random);
    Rule log = rule("5/day", Algorithm.SLIDING_WINDOW_LOG);
    before.endsAt(START + SECOND, log);
    assertThat(isKept(table, key, log, START + SECOND)).isFalse();
    assertThat(turn.isFull()).as("a take finds no room").isTrue();
    table.play(turn.of(key, log, START + SECOND).asks(/* signedCost= */ 0));
    assertThat(turn.isFull()).isFalse();
    assertThat(turn.step().remaining()).isEqualTo(4);
    Together turns = new Together();
    turns.add(table).of(key, log, START + SECOND).asks(/* signedCost= */ 0);
    turns.add(table).of(~key, log, START + SECOND).asks(/* signedCost= */ 0);
    assertThat(turns.isPlayed() && turns.allowed()).isTrue();
    assertThat(turns.isUnknown()).isFalse();
    assertThat(turns.turn(0).step().remaining()).isEqualTo(4);
    new Inside(table).check();
  }

  /** What lies in the way of a long log is moved, and is what it was. */
  @Test
  void play_idleShortLogsAmongLiveOnes_haveRoomForLongOnesAndLiveOnesStay() {
    SplittableRandom random = Trial.random("live among idle logs");
    for (int liveOf : new int[] {2, 4, 10}) {
      StateTable table = StateTable.of(rules, 4 << 20);
      Rule idle = rule("100/s", Algorithm.SLIDING_WINDOW_LOG);
      Rule live = rule("2/day", Algorithm.SLIDING_WINDOW_LOG);
      List<Long> keys = new ArrayList<>();
      long key = random.nextLong();
      for (int i = 0; isKept(table, key, i % liveOf == 0 ? live : idle, START + i); i++) {
        if (i % liveOf == 0) {
          keys.add(key);
        }
        key = random.nextLong();
      }
      for (int i = 0; i < 100; i++) {
        takeAll(table, idle, random.nextLong(), START + HOUR + i);
      }
      new Inside(table).check();
      for (int i = 0; i < keys.size(); i++) {
        assertThat(isKept(table, keys.get(i), live, START + HOUR)).as("second unit").isTrue();
        assertThat(isKept(table, keys.get(i), live, START + HOUR)).as("third unit").isFalse();
        assertThat(turn.isFull()).isFalse();
      }
    }
  }

  @Test
  void play_longLogsComeAndGoAmongShortOnes_areNeverRefused() {
    SplittableRandom random = Trial.random("long logs come and go");
    StateTable table = StateTable.of(rules, 2 << 20);
    Rule rule = rule("500/s", Algorithm.SLIDING_WINDOW_LOG);
    for (int round = 0; round < 20; round++) {
      long now = START + round * HOUR;
      for (int i = 0; i < 50; i++) {
        long key = random.nextLong();
        for (int unit = 0; unit < 500; unit++) {
          assertThat(isKept(table, key, rule, now)).as("round %d, key %d", round, i).isTrue();
        }
        for (int j = 0; j < 50; j++) {
          assertThat(isKept(table, random.nextLong(), rule, now)).isTrue();
        }
      }
      new Inside(table).check();
    }
  }

  /** Logs grow, come and go in all threads at once, and each holds what was put into it. */
  @Test
  void play_manyThreadsInATableThatIsFull_loseNothingOfTheirLogs() throws Exception {
    SplittableRandom random = Trial.random("logs of many threads");
    StateTable table = StateTable.of(rules, 1 << 20);
    Rule lasting = rule("300/hour", Algorithm.SLIDING_WINDOW_LOG);
    Rule passing = rule("300/10ms", Algorithm.SLIDING_WINDOW_LOG);
    Crew crew = new Crew();
    for (int i = 0; i < Crew.SIZE; i++) {
      SplittableRandom own = random.split();
      crew.add(() -> takeAtRandom(table, lasting, passing, own));
    }
    crew.run();
    new Inside(table).check();
  }

  private static void takeAtRandom(
      StateTable table, Rule lasting, Rule passing, SplittableRandom random) {
    Turn own = new Turn();
    long[] keys = random.longs(/* streamSize= */ 15).toArray();
    int[] taken = new int[keys.length];
    for (int i = 0; i < 100_000; i++) {
      long now = START + i * 1_000L;
      table.play(own.of(random.nextLong(), passing, now).asks(1));
      int key = random.nextInt(keys.length);
      table.play(own.of(keys[key], lasting, now).asks(1));
      taken[key] += own.step().allowed() && !own.isFull() ? 1 : 0;
      if (!own.isFull() && own.step().remaining() != 300 - taken[key]) {
        fail("%d left after %d at %d", own.step().remaining(), taken[key], i);
      }
    }
  }
}
