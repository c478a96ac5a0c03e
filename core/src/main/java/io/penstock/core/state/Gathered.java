package io.penstock.core.state;

/**
 * What several turns have in common before they are decided: the instant, and for some the counter.
 * Confined to the thread that decides.
 */
final class Gathered {
  private static final int ITSELF = -1;

  private int[] joinedTo = {};

  void gather(Turn[] turns, States[] places, int size) {
    joinedTo = joinedTo.length < size ? new int[turns.length] : joinedTo;
    shareInstants(turns, places, size);
    joinRepeated(turns, places, size);
  }

  /*
   * A turn is not decided before its rule began, and some rules of a plan may have begun after now,
   * by the clock of whoever changed it. What is idle to one turn is free for it to take, so it must
   * be idle to every turn of its place.
   */
  private static void shareInstants(Turn[] turns, States[] places, int size) {
    boolean differ = false;
    for (int i = 1; i < size; i++) {
      differ |= turns[i].nowNanos() != turns[0].nowNanos();
    }
    for (int i = 1; i < size && differ; i++) {
      for (int j = 0; j < i; j++) {
        if (places[i] == places[j]) {
          turns[i].notBefore(turns[j].nowNanos());
          turns[j].notBefore(turns[i].nowNanos());
        }
      }
    }
  }

  /** The same counter asked twice is asked once, for the sum: it must not be admitted twice. */
  private void joinRepeated(Turn[] turns, States[] places, int size) {
    for (int i = 0; i < size; i++) {
      joinedTo[i] = ITSELF;
      for (int j = 0; j < i && joinedTo[i] == ITSELF; j++) {
        if (joinedTo[j] == ITSELF
            && places[i] == places[j]
            && turns[i].hash() == turns[j].hash()
            && turns[i].rule() == turns[j].rule()) {
          joinedTo[i] = j;
          turns[j].join(turns[i]);
        }
      }
    }
  }

  /** Whether a turn is asked itself, and not joined to another. */
  boolean isAsked(int index) {
    return joinedTo[index] == ITSELF;
  }

  /** Gives the turns that were joined to others the answers of these. */
  void answer(Turn[] turns, int size) {
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] != ITSELF) {
        turns[i].answerAs(turns[joinedTo[i]]);
      }
    }
  }
}
