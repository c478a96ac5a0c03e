package io.penstock.core;

/** A reservation that holds nothing. Immutable. */
record Denied(Decision decision) implements Reservation {
  @Override
  public void commit(long cost) {
    throw refused(decision);
  }

  /** What is thrown at whoever commits what was denied. */
  static IllegalStateException refused(Decision decision) {
    return new IllegalStateException(
        "reservation: " + decision.reason() + " (expected: one that was allowed, to commit)");
  }

  @Override
  public void cancel() {}

  @Override
  public boolean renew() {
    return false;
  }
}
