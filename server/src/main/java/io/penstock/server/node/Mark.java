package io.penstock.server.node;

/**
 * What is kept of something that was held and is settled. Immutable.
 *
 * @param lease whether it was a lease, and not a reservation
 * @param strict whether its policy was strict
 */
record Mark(boolean lease, boolean strict) {
  private static final int LEASE = 1;
  private static final int STRICT = 2;

  int write() {
    return (lease ? LEASE : 0) | (strict ? STRICT : 0);
  }

  static Mark read(int value) {
    return new Mark((value & LEASE) != 0, (value & STRICT) != 0);
  }
}
