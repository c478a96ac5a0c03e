package io.penstock.core.state;

/**
 * The stripes that several turns need, locked in ascending order. Confined to the thread that
 * decides.
 */
final class Locks {
  /* One turn of each stripe. */
  private int[] locked = {};
  private int count;

  /** Locks each stripe of so many turns once. */
  void lock(Turn[] turns, States[] places, int size) {
    locked = locked.length < size ? new int[turns.length] : locked;
    count = 0;
    for (int i = 0; i < size; i++) {
      int at = count;
      while (at > 0 && compare(turns, places, i, locked[at - 1]) < 0) {
        at--;
      }
      if (at == 0 || compare(turns, places, i, locked[at - 1]) != 0) {
        System.arraycopy(locked, at, locked, at + 1, count - at);
        locked[at] = i;
        count++;
      }
    }
    for (int i = 0; i < count; i++) {
      places[locked[i]].lock(stripe(turns, places, locked[i]));
    }
    long number = 0;
    for (int i = 0; i < count; i++) {
      States place = places[locked[i]];
      boolean another = i == 0 || place != places[locked[i - 1]];
      number = another ? place.number() : number;
      place.beforeWrites(stripe(turns, places, locked[i]), number);
    }
  }

  /** Unlocks what was locked for the same turns. */
  void unlock(Turn[] turns, States[] places) {
    for (int i = count - 1; i >= 0; i--) {
      places[locked[i]].unlock(stripe(turns, places, locked[i]));
    }
  }

  private static int compare(Turn[] turns, States[] places, int a, int b) {
    int byPlace = Long.compare(places[a].order(), places[b].order());
    return byPlace != 0
        ? byPlace
        : Integer.compare(stripe(turns, places, a), stripe(turns, places, b));
  }

  private static int stripe(Turn[] turns, States[] places, int index) {
    return places[index].stripe(turns[index].hash());
  }
}
