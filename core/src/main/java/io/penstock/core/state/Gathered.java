package io.penstock.core.state;

import io.penstock.core.algorithm.Wide;
import io.penstock.core.state.Turn.Ask;

/**
 * What several turns have in common before they are decided: the instant, and for some the counter.
 * Confined to the thread that decides.
 */
final class Gathered {
  private static final int ITSELF = -1;
  private static final int ALONE = -1;

  /* The turn with the same counter and rule that asks for this one as well. */
  private int[] joinedTo = {};

  /* The first turn with the same counter, under whatever rule. */
  private int[] first = {};

  /* Of the first of a counter with several rules: the turn whose state is kept. */
  private int[] kept = {};

  void gather(Turn[] turns, States[] places, int size) {
    if (joinedTo.length < size) {
      joinedTo = new int[turns.length];
      first = new int[turns.length];
      kept = new int[turns.length];
    }
    shareInstants(turns, places, size);
    joinRepeated(turns, places, size);
    joinRivals(turns, size);
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
      first[i] = i;
      kept[i] = ALONE;
      for (int j = 0; j < i && joinedTo[i] == ITSELF; j++) {
        if (joinedTo[j] == ITSELF && places[i] == places[j] && turns[i].hash() == turns[j].hash()) {
          first[i] = first[j];
          if (turns[i].rule() == turns[j].rule()) {
            joinedTo[i] = j;
            join(turns[j], turns[i]);
          }
        }
      }
    }
  }

  /*
   * One counter may be read by several rules: where one of those who share it is overridden, or
   * where requests bring limits along. It has one state, so every rule must have room for the sum
   * of what all ask, which is counted once.
   */
  private void joinRivals(Turn[] turns, int size) {
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] == ITSELF && first[i] != i) {
        kept[first[i]] = first[i];
        join(turns[first[i]], turns[i]);
      }
    }
    for (int i = 0; i < size; i++) {
      if (hasRivals(i)) {
        askAs(turns[first[i]], turns[i]);
      }
    }
  }

  /**
   * Adds what is asked by another turn of the same counter, so that both are decided as one: either
   * both take or both give back, or one of them only looks. Where the settling of a reservation
   * charges by one rule and gives back by another, nothing is given back: never too much is.
   */
  private static void join(Turn turn, Turn other) {
    boolean sameWay = (turn.ask() == Ask.GIVE_BACK) == (other.ask() == Ask.GIVE_BACK);
    boolean charged = turn.ask() == Ask.GIVE_BACK && other.cost() > 0 && !sameWay;
    if (turn.cost() == 0 || charged) {
      turn.asks(other.ask(), other.cost(), other.ticket());
    } else if (sameWay) {
      turn.asks(turn.ask(), Wide.add(turn.cost(), other.cost()), turn.ticket());
    }
    turn.failsOpen(turn.failsOpen() && other.failsOpen());
  }

  /** Lets a turn ask what is asked of its counter; what it took itself it has a ticket for. */
  private static void askAs(Turn all, Turn turn) {
    boolean own = turn.cost() > 0 && turn.ask() == all.ask();
    turn.asks(all.ask(), all.cost(), own ? turn.ticket() : all.ticket());
    turn.failsOpen(all.failsOpen());
  }

  /**
   * Lets every rule of a counter that has several look how it would decide, before anything is
   * loaded to be kept; false if one is no longer in force. Kept is the state that lasts longest:
   * under it nothing is forgotten that counts by another rule.
   */
  boolean isWeighed(Turn[] turns, States[] places, int size) {
    for (int i = 0; i < size; i++) {
      if (hasRivals(i)) {
        look(turns[i], places[i]);
        if (turns[i].isOutdated()) {
          return false;
        }
        int longest = kept[first[i]];
        boolean longer = turns[i].step().until > turns[longest].step().until;
        kept[first[i]] = longer ? i : longest;
      }
    }
    return true;
  }

  /* The log is let go at once: what a look wrote through is undone before another turn reads it. */
  private static void look(Turn turn, States place) {
    turn.looks(true);
    place.load(turn);
    if (!turn.isOutdated()) {
      turn.play();
      if (turn.isFull()) {
        turn.fullIfAllowed();
      }
    }
    turn.step().log().clear();
  }

  private boolean hasRivals(int index) {
    return joinedTo[index] == ITSELF && kept[first[index]] != ALONE;
  }

  /** Whether a turn is asked itself, and its state kept. */
  boolean isAsked(int index) {
    return joinedTo[index] == ITSELF && (!hasRivals(index) || kept[first[index]] == index);
  }

  /** Whether a turn has only looked, as the state of its counter is kept under another rule. */
  boolean hasLooked(int index) {
    return hasRivals(index) && kept[first[index]] != index;
  }

  /** Lets turns that have looked, and would have passed, look again at what is left untaken. */
  void showUntaken(Turn[] turns, States[] places, int size) {
    for (int i = 0; i < size; i++) {
      if (hasLooked(i) && turns[i].step().allowed()) {
        look(turns[i].asks(Ask.TAKE, 0, 0), places[i]);
      }
    }
  }

  /** Gives the turns that were joined to others the answers of these. */
  void answer(Turn[] turns, int size) {
    for (int i = 0; i < size; i++) {
      if (hasLooked(i) && turns[kept[first[i]]].isFull()) {
        turns[i].fullIfAllowed();
      }
    }
    for (int i = 0; i < size; i++) {
      if (joinedTo[i] != ITSELF) {
        turns[i].answerAs(turns[joinedTo[i]]);
      }
    }
  }
}
