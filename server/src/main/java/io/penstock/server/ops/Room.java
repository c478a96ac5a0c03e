package io.penstock.server.ops;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places for series: once they are taken, whatever is new is counted as {@code other}. Thread-safe.
 */
final class Room {
  private final AtomicInteger left;

  Room(int places) {
    left = new AtomicInteger(places);
  }

  /** Takes a place; false if there is none. */
  boolean take() {
    return left.getAndUpdate(places -> Math.max(0, places - 1)) > 0;
  }
}
