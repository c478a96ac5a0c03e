package io.penstock.cli.remote;

/** The monotonic clock by which a bench measures. */
final class BenchClock {
  private BenchClock() {}

  static long nanos() {
    return System.nanoTime();
  }
}
