package io.penstock.core.state;

import io.penstock.core.state.Turn.Ask;

/** What is to be given back and finds no room to be noted, as a gap in a queue. */
final class Unnoted {
  private Unnoted() {}

  /**
   * Leaves it used, which never admits too much: the turn, whose stripe is held, answers what is so
   * and changes nothing. False if it is not about giving back, or not even its new rule can be
   * noted.
   */
  static boolean staysUsed(Turn turn, Cells cells, int stripe) {
    if (turn.ask() != Ask.GIVE_BACK) {
      return false;
    }
    cells.load(turn, stripe);
    turn.asks(Ask.TAKE, /* cost= */ 0, /* ticket= */ 0).play();
    turn.asks(Ask.GIVE_BACK, /* cost= */ 0, /* ticket= */ 0);
    return !turn.isChanged();
  }
}
