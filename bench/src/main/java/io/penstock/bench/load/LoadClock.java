package io.penstock.bench.load;

/** The clock of the client. */
final class LoadClock {
  private LoadClock() {}

  static long nanos() {
    return System.nanoTime();
  }
}
