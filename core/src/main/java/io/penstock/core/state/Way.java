package io.penstock.core.state;

import org.jspecify.annotations.Nullable;

/**
 * The way of a key from the rule it was under to another, through all that were in force between,
 * each from its own beginning. A reused buffer. Confined to one thread.
 */
final class Way {
  private Rule at = Rule.NONE;
  private long nanos;
  private int steps;
  private @Nullable Rule mark;

  /** Begins at a rule. */
  Way from(Rule rule) {
    at = rule;
    nanos = rule.sinceNanos();
    steps = 0;
    mark = null;
    return this;
  }

  /** Where the key is by now. */
  Rule at() {
    return at;
  }

  /** When it came there. */
  long nanos() {
    return nanos;
  }

  /*
   * No rule is passed twice: were rules ever to lead in a circle, a check would never end. As in
   * Brent's search for a cycle, a mark moves on after twice as many steps each time; who comes by
   * it again goes straight to the end.
   */
  /** Goes on to the next rule on the way to another. */
  void goOn(Rule to, long nowNanos) {
    Rule follower = Line.after(at, to, nowNanos);
    if (follower == mark) {
      follower = to;
    }
    if (Integer.bitCount(++steps) == 1) {
      mark = at;
    }
    nanos = Math.max(nanos, Line.leftAt(at, follower, nowNanos));
    at = follower;
  }
}
