package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What changed is listed once, and what was listed can be put back. */
class TrackedTableTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final int STRIPES = 4;

  private final Rules rules = new Rules();
  private final Turn turn = new Turn();
  private final StateTable table = StateTable.tracked(rules, 1 << 20, STRIPES);

  private Rule rule(String limit, Algorithm algorithm, long since) {
    return rules.add(Limit.parse(limit), algorithm, /* slot= */ 0, since);
  }

  private boolean isTaken(long key, Rule rule, long now, long cost) {
    return isAllowed(key, rule, now, Ask.TAKE, cost);
  }

  private boolean isAllowed(long key, Rule rule, long now, Ask ask, long cost) {
    table.play(turn.of(key, rule, now).asks(ask, cost, /* ticket= */ 0));
    assertThat(turn.isFull()).isFalse();
    return turn.step().allowed();
  }

  /** A key as the table knows it. */
  private long known(long key) {
    return Slots.hash(Slots.header(key, 0, 0), table.stripe(key));
  }

  private Map<Long, long[]> drain() {
    Map<Long, long[]> listed = new HashMap<>();
    table.tracked().cut();
    table
        .tracked()
        .drainChanges(
            (hash, rule, words, from, length) ->
                assertThat(listed.put(hash, Arrays.copyOfRange(words, from, from + length)))
                    .as("%x is listed once", hash)
                    .isNull());
    return listed;
  }

  @Test
  void drainChanges_whileTheTableGrows_listsEveryChangeOnceAndElseOnlyNeighbours() {
    SplittableRandom random = Trial.random("drainChanges");
    Rule rule = rule("3/day", Algorithm.GCRA, START);
    long[] keys = random.longs(5_000).toArray();
    int known = 100;
    for (int round = 0; round < 40; round++) {
      known = Math.min(keys.length, known + random.nextInt(known));
      Set<Long> changed = new HashSet<>();
      int pagesBefore = pageCount();
      for (int i = random.nextInt(2 * known); i > 0; i--) {
        long key = keys[random.nextInt(known)];
        long cost = random.nextInt(3);
        if (isTaken(key, rule, START, cost) && cost > 0) {
          changed.add(known(key));
        }
      }
      Map<Long, long[]> listed = drain();
      assertThat(listed.keySet()).as("round %d", round).containsAll(changed);
      if (pageCount() == pagesBefore) {
        Set<Long> pages = new HashSet<>();
        changed.forEach(key -> pages.add(page(key)));
        listed.keySet().forEach(key -> assertThat(page(key)).isIn(pages));
      }
      assertThat(drain()).as("nothing has changed since").isEmpty();
    }
    new Inside(table).check();
  }

  /** All pages of all stripes: more than before if any was written anew, and neighbours moved. */
  private int pageCount() {
    int pages = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      pages += table.cells().stripes().pageCount(stripe);
    }
    return pages;
  }

  private long page(long key) {
    int place = table.cells().find(key, table.stripe(key));
    assertThat(place).as("%x is there", key).isNotNegative();
    return (long) table.stripe(key) << 32 | place / Slots.PER_PAGE;
  }

  @Test
  void drainChanges_stateListed_isTheStateThatIsKept() {
    Rule log = rule("5/s", Algorithm.SLIDING_WINDOW_LOG, START);
    isTaken(1L << 40, log, START, 2);
    isTaken(1L << 40, log, START + 7, 1);
    assertThat(drain().get(known(1L << 40)))
        .containsExactly(START + 7 + SECOND, 3, 0, START, 2, START + 7, 1);
  }

  @Test
  void drainChanges_lookedAtAndDenied_listsNothing() {
    for (String name : Algorithm.all().stream().map(Algorithm::name).toList()) {
      String form = name.equals("concurrency") ? "2 concurrent lease day" : "2/day";
      Rule rule = rule(form, Algorithm.named(name), START);
      long key = name.hashCode() * 0x9E37_79B9_7F4A_7C15L;
      isTaken(key, rule, START, 2);
      drain();
      isTaken(key, rule, START, 0);
      isTaken(key, rule, START, 4);
      isTaken(key, rule, START + 1, 4);
      assertThat(drain()).as(name).isEmpty();
    }
  }

  @Test
  void drainChanges_changedKeyIsIdleAndOthersNeedRoom_listsItStill() {
    SplittableRandom random = Trial.random("drainChanges of idle keys");
    StateTable small = StateTable.tracked(rules, 16 << 10, /* stripes= */ 1);
    Rule rule = rule("1/s", Algorithm.GCRA, START);
    Set<Long> changed = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      long key = random.nextLong();
      small.play(turn.of(key, rule, START + i * SECOND).asks(Ask.TAKE, 1, 0));
      if (!turn.isFull()) {
        changed.add(Slots.hash(Slots.header(key, 0, 0), 0));
      }
    }
    assertThat(changed.size()).as("what is not listed is not forgotten").isLessThan(1_100);
    Set<Long> listed = new HashSet<>();
    small.tracked().cut();
    small.tracked().drainChanges((hash, serial, words, from, length) -> listed.add(hash));
    assertThat(listed).containsExactlyInAnyOrderElementsOf(changed);
    small.play(turn.of(random.nextLong(), rule, START + 3_000 * SECOND).asks(Ask.TAKE, 1, 0));
    assertThat(turn.isFull()).as("what is listed may be forgotten").isFalse();
  }

  /** A follower that never hears of it would bring the used units back after a failover. */
  @Test
  void drainChanges_resetKeyMovedToAnotherKindOfSlot_listsTheReset() {
    Rule one = rule("2/day", Algorithm.GCRA, START);
    long key = 1L << 40;
    isTaken(key, one, START, 2);
    assertThat(drain()).containsKey(known(key));
    isAllowed(key, one, START, Ask.RESET, 0);
    Rule three = rule("2/day", Algorithm.FIXED_WINDOW, START);
    one.endsAt(START, three);
    isTaken(key, three, START, 0);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      isTaken(random.nextLong(), three, START, 1); // the table grows, and moves what it has
    }
    Map<Long, long[]> listed = drain();
    assertThat(listed).containsKey(known(key));
    assertThat(Objects.requireNonNull(listed.get(known(key)))[0]).isLessThanOrEqualTo(START);
  }

  @Test
  void tracked_tableThatDoesNotTrack_throws() {
    assertThatThrownBy(() -> StateTable.of(rules, 1 << 20).tracked())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void restore_snapshotIntoAFreshTable_goesOnAsTheModel() {
    long seed = Trial.seed("restore_snapshot");
    for (int i = 0; i < 2 * Trial.times(); i++) {
      Rules own = new Rules();
      StateTable first = StateTable.tracked(own, 1 << 20, STRIPES);
      Drive drive = new Drive(new SplittableRandom(seed + i), own, first, /* keyCount= */ 800);
      for (int round = 0; round < 8; round++) {
        drive.run(500, seed + i);
        StateTable fresh = StateTable.tracked(own, 1 << 20, STRIPES);
        first.tracked().list(into(fresh, own));
        new Inside(fresh).check();
        drive.moveTo(fresh);
        first = fresh;
      }
    }
  }

  @Test
  void restore_everyChangeIntoAFollower_goesOnAsTheModel() {
    long seed = Trial.seed("restore_everyChange");
    for (int i = 0; i < 2 * Trial.times(); i++) {
      Rules own = new Rules();
      StateTable leader = StateTable.tracked(own, 1 << 20, STRIPES);
      StateTable follower = StateTable.tracked(own, 1 << 20, STRIPES);
      Drive drive = new Drive(new SplittableRandom(seed + i), own, leader, /* keyCount= */ 800);
      for (int round = 0; round < 300; round++) {
        drive.run(15, seed + i);
        StateTable target = follower;
        leader.tracked().cut();
        leader.tracked().drainChanges(into(target, own));
        if (round % 20 == 19) {
          target.tracked().forgetChanges();
          drive.moveTo(target);
          follower = leader;
          leader = target;
        }
      }
    }
  }

  private static StateSink into(StateTable table, Rules rules) {
    Restorer restorer = table.tracked().restorer(/* nowNanos= */ 0);
    return (hash, serial, words, from, length) -> {
      Rule rule = Objects.requireNonNull(rules.get(Rules.number(serial)));
      long[] state = Arrays.copyOfRange(words, from, from + length);
      assertThat(restorer.restore(hash, rule, state, length)).isTrue();
    };
  }

  @Test
  void restore_stateIsOver_takesNoRoomAndReplacesWhatIsThere() {
    Rule rule = rule("2/day", Algorithm.GCRA, START);
    Restorer restorer = table.tracked().restorer(START + 5);
    long key = 1L << 40;
    assertThat(restorer.restore(key, rule, new long[] {START + 5, 0, 0}, 3)).isTrue();
    assertThat(table.cells().find(key, table.stripe(key))).isEqualTo(Pages.NOWHERE);
    restorer.restore(key, rule, new long[] {START + 86_400 * SECOND, 0, 0}, 3);
    restorer.restore(key, rule, new long[] {0, 0, 0}, 3);
    assertThat(isTaken(key, rule, START + 5, 2)).isTrue();
  }

  @Test
  void cut_lastOneNotDrained_throws() {
    table.tracked().cut();
    assertThatThrownBy(() -> table.tracked().cut()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void restore_noRoom_saysSoAndKeepsNothing() {
    SplittableRandom random = Trial.random("restore_noRoom");
    StateTable small = StateTable.tracked(rules, 4 << 10, /* stripes= */ 1);
    Rule rule = rule("1/day", Algorithm.GCRA, START);
    long[] words = {START + 86_400 * SECOND, 0, 0};
    long key = random.nextLong();
    while (small.tracked().restorer(0).restore(key, rule, words, words.length)) {
      key = random.nextLong();
    }
    assertThat(small.cells().find(key, 0)).isEqualTo(Pages.NOWHERE);
    new Inside(small).check();
  }
}
