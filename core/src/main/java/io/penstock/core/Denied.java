package io.penstock.core;

/** A reservation that holds nothing. Immutable. */
record Denied(Decision decision) implements Reservation {
  @Override
  public void commit(long cost) {
    throw new IllegalStateException(
        "commit of a reservation that was denied: " + decision.reason());
  }

  @Override
  public void cancel() {}

  @Override
  public boolean renew() {
    return false;
  }
}
