package io.penstock.server.node;

/**
 * How fast a counter grows, over the last few seconds: what is older counts less and less. Confined
 * to whoever reads the counter.
 */
final class Pace {
  /** After so long, what was before counts for a third. */
  static final double MEMORY_SECONDS = 5;

  private long total;
  private double perSecond;

  /** The counter is at some total now, so long after the reading before. */
  void read(long now, double seconds) {
    double weight = 1 - Math.exp(-seconds / MEMORY_SECONDS);
    perSecond += weight * ((now - total) / seconds - perSecond);
    total = now;
  }

  /** Nobody asks for what was before. */
  void stop() {
    perSecond = 0;
  }

  double perSecond() {
    return perSecond;
  }
}
