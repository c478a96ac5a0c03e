package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.MapStore;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A table answers as a map of objects would that forgets nothing. */
class StateTableModelTest {
  private static final int STEPS = 8_000;
  private static final int STEPS_PER_CHECK = 500;
  private static final int STEPS_PER_DRAIN = 20;
  private static final int KEYS = 6_000;

  @Test
  void play_smallTable_answersAsTheModel() {
    long seed = Trial.seed("play_smallTable");
    for (int i = 0; i < 8 * Trial.times(); i++) {
      Rules rules = new Rules();
      drive(seed + i, rules, StateTable.of(rules, bytesMax(seed + i)));
    }
  }

  @Test
  void play_twoStripesTracked_answersAsTheModel() {
    long seed = Trial.seed("play_twoStripesTracked");
    for (int i = 0; i < 4 * Trial.times(); i++) {
      Rules rules = new Rules();
      drive(seed + i, rules, StateTable.tracked(rules, bytesMax(seed + i), /* stripes= */ 2));
    }
  }

  @Test
  void play_idleSlotsWouldDo_isNeverFull() {
    long seed = Trial.seed("play_idleSlotsWouldDo");
    for (int i = 0; i < 4 * Trial.times(); i++) {
      Rules rules = new Rules();
      Drive drive = drive(seed + i, rules, StateTable.of(rules, bytesMax(seed + i)));
      assertThat(drive.wronglyFull())
          .as("of %d turns that found memory full, -Dseed=%d", drive.fullTurns(), seed + i)
          .isZero();
    }
  }

  /** Small enough for growth, expiry and a full table to happen all the time. */
  private static long bytesMax(long seed) {
    return (64 + 32 * Math.floorMod(seed, 3L)) << 10;
  }

  private static Drive drive(long seed, Rules rules, StateTable table) {
    Drive drive = new Drive(new SplittableRandom(seed), rules, table, KEYS);
    Inside inside = new Inside(table);
    for (int i = 0; i < STEPS; i += STEPS_PER_DRAIN) {
      drive.run(STEPS_PER_DRAIN, seed);
      if (table.cells().changes() != null) {
        table.tracked().forgetChanges();
      }
      if (i % STEPS_PER_CHECK == 0) {
        check(drive, table, inside, seed);
      }
    }
    return drive;
  }

  /** Every state of the model is in the table, and equal; nothing live was forgotten. */
  private static void check(Drive drive, StateTable table, Inside inside, long seed) {
    inside.check();
    Turn turn = new Turn();
    for (long key : drive.model().keys()) {
      int stripe = table.stripe(key);
      int place = inside.find(key);
      if (drive.model().isLive(key, drive.now())) {
        assertThat(place).as("live %x is there, -Dseed=%d", key, seed).isNotNegative();
        long header = table.cells().pages().get(stripe, place, 0);
        turn.of(key, drive.rule(), drive.now());
        table.cells().read(turn, stripe, place, header);
        turn.begin(table.cells().rule(header));
        assertThat(drive.model().text(turn.step()))
            .as("state of %x, -Dseed=%d", key, seed)
            .isEqualTo(drive.model().text(key));
        turn.step().log().clear();
      }
    }
  }

  @Test
  void play_statesInAStore_answersAsTheModel() {
    long seed = Trial.seed("play_statesInAStore");
    for (int i = 0; i < 3 * Trial.times(); i++) {
      Rules rules = new Rules();
      StoreStates states = new StoreStates(rules, new MapStore());
      Drive drive = new Drive(new SplittableRandom(seed + i), rules, states, KEYS);
      drive.run(STEPS, seed + i);
      assertThat(drive.fullTurns()).as("a store is never full").isZero();
    }
  }
}
