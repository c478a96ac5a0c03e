package io.penstock.cli.simulate;

/** A run of requests that were all denied, from the first to the last of them. Immutable. */
record Denial(long requests, long firstNanos, long lastNanos) {
  static final Denial NONE = new Denial(0, 0, 0);

  long lengthNanos() {
    return lastNanos - firstNanos;
  }

  /** This run with one more request; a run without requests starts with it. */
  Denial plus(long atNanos) {
    return new Denial(requests + 1, requests == 0 ? atNanos : firstNanos, atNanos);
  }

  /** The longer of two in time; of equal ones, the one with more requests. */
  static Denial longer(Denial a, Denial b) {
    if (a.lengthNanos() != b.lengthNanos()) {
      return a.lengthNanos() > b.lengthNanos() ? a : b;
    }
    return a.requests >= b.requests ? a : b;
  }
}
