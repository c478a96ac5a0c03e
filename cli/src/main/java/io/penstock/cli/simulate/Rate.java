package io.penstock.cli.simulate;

/** How often requests come: a count, which may be a fraction, per period. Immutable. */
record Rate(double count, long periodNanos) {
  double perNano() {
    return count / periodNanos;
  }

  /** When the n-th request is due, counted from 0; rounded up, so that it never comes early. */
  long dueNanos(long n) {
    return (long) Math.ceil((double) n * periodNanos / count);
  }
}
