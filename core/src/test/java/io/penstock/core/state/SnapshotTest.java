package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A snapshot is what there was at one instant, whoever decides meanwhile. */
@Timeout(60)
class SnapshotTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final int KEYS = 24;
  private static final int STRIPES = 8;
  private static final int USED_EACH = 500;
  private static final int SNAPSHOTS = 300;

  private final Rules rules = new Rules();
  private final Rule rule =
      rules.add(Limit.parse("1000/day"), Algorithm.GCRA, /* slot= */ 0, START);
  private final StateTable table = StateTable.tracked(rules, 4 << 20, STRIPES);
  private final long[] keys;

  SnapshotTest() {
    keys = new SplittableRandom(1).longs(KEYS).toArray();
    Turn turn = new Turn();
    for (long key : keys) {
      table.play(turn.of(key, rule, START).asks(Ask.TAKE, USED_EACH, /* ticket= */ 0));
    }
  }

  /** Moves a unit from the used ones of one key to those of another. */
  private boolean isMoved(Together together, long from, long to) {
    together.clear();
    together.add(table).of(from, rule, START).asks(Ask.GIVE_BACK, 1, /* ticket= */ 0);
    together.add(table).of(to, rule, START).asks(Ask.TAKE, 1, /* ticket= */ 0);
    return together.play();
  }

  /** The units each of our keys has used, in a snapshot. */
  private Map<Long, Long> used() {
    Map<Long, Long> used = new HashMap<>();
    long unit = rule.limit().unitNumerator();
    table
        .tracked()
        .snapshot(
            (hash, serial, words) ->
                assertThat(used.put(hash, Math.max(0, words[0] - START) / unit)).isNull());
    return used;
  }

  private long known(long key) {
    return Slots.hash(Slots.header(key, 0, 0), table.stripe(key));
  }

  @Test
  void snapshot_whileUnitsMoveBetweenKeys_neverLosesOrDoublesOne() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    SplittableRandom seeds = Trial.random("snapshot");
    Crew crew = new Crew();
    for (int i = 0; i < Crew.SIZE; i++) {
      SplittableRandom random = seeds.split();
      boolean grows = i == 0;
      crew.add(
          () -> {
            Together together = new Together();
            Turn turn = new Turn();
            while (!done.get()) {
              isMoved(together, keys[random.nextInt(KEYS)], keys[random.nextInt(KEYS)]);
              if (grows && random.nextInt(8) == 0) {
                table.play(turn.of(random.nextLong(), rule, START).asks(Ask.TAKE, 1, 0));
              }
            }
          });
    }
    crew.add(
        () -> {
          try {
            for (int i = 0; i < SNAPSHOTS * Trial.times(); i++) {
              Map<Long, Long> used = used();
              long sum = 0;
              for (long key : keys) {
                sum += used.getOrDefault(known(key), 0L);
              }
              assertThat(sum).as("snapshot %d", i).isEqualTo((long) KEYS * USED_EACH);
            }
          } finally {
            done.set(true);
          }
        });
    crew.run();
    new Inside(table).check();
  }

  /** A snapshot taken and every change listed after it, put together, are the table itself. */
  @Test
  void snapshot_withTheChangesAfterIt_isTheTable() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    SplittableRandom seeds = Trial.random("snapshot and changes");
    Map<Long, Long> copy = new HashMap<>();
    Crew crew = new Crew();
    for (int i = 0; i < 2; i++) {
      SplittableRandom random = seeds.split();
      crew.add(
          () -> {
            Together together = new Together();
            for (int moves = 0; moves < 100_000; moves++) {
              isMoved(together, keys[random.nextInt(KEYS)], keys[random.nextInt(KEYS)]);
            }
            done.set(true);
          });
    }
    crew.add(
        () -> {
          table.tracked().snapshot((hash, serial, words) -> copy.put(hash, words[0]));
          while (!done.get()) {
            table.tracked().drainChanges((hash, serial, words) -> copy.put(hash, words[0]));
          }
        });
    crew.run();
    table.tracked().drainChanges((hash, serial, words) -> copy.put(hash, words[0]));
    Map<Long, Long> now = new HashMap<>();
    table.tracked().snapshot((hash, serial, words) -> now.put(hash, words[0]));
    assertThat(copy).isEqualTo(now);
  }
}
