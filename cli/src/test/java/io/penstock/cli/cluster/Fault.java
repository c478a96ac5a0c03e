package io.penstock.cli.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Something that happens to one node. Immutable.
 *
 * @param distance how far the node is from the owner: 0 is the owner itself
 * @param millis how long it lasts, beside the time that a node takes to start
 * @param lateMillis by how much what is slow is late
 * @param isAhead whether a clock that is off is ahead, and not behind
 */
record Fault(Kind kind, int distance, int millis, int lateMillis, boolean isAhead) {
  private static final int MILLIS_MIN = 200;
  private static final int MILLIS_MAX = 2_500;
  private static final int LATE_MILLIS_MIN = 20;
  private static final int LATE_MILLIS_MAX = 400;

  /** In place of a delay: nothing arrives before the fault is over. */
  private static final Duration NEVER = Duration.ofDays(1);

  /** More than any key takes to be full again: who went by such a clock would have forgotten. */
  private static final Duration OFF = Duration.ofHours(25);

  /** What may happen. */
  enum Kind {
    /** It is killed, and started again later. */
    KILLED,
    /** It is told to end, and started again later: it gives its ownership away. */
    ENDED,
    /** It stands still, and goes on as if nothing had been. */
    PAUSED,
    /** It neither hears the others nor is heard by them. */
    CUT_OFF,
    /** It hears the others, and none of them hears it. */
    MUTE,
    /** The others hear it, and it hears none of them. */
    DEAF,
    /** It and one of the others do not hear each other; the third hears both. */
    PARTED,
    /** It hears the others late, and they hear it late. */
    SLOW,
    /** The others hear it late. */
    HEARD_LATE,
    /** Its disk takes long to store anything. */
    SLOW_DISK,
    /** Its clock jumps while it runs, and back again. */
    CLOCK_STEPPED,
    /** It is killed and started with another time of the day, and again with the right one. */
    CLOCK_OFF,
    /** It is the owner, and told to let another one lead. */
    DRAINED,
    /** A fourth node is let in, and removed later. */
    JOINED,
    /** It is removed, and let in again later, without what it had on its disk. */
    REMOVED
  }

  /** Faults in an order that a seed says: every kind comes before one comes again. */
  static List<Fault> draw(Random random, int count) {
    List<Fault> faults = new ArrayList<>();
    while (faults.size() < count) {
      List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
      Collections.shuffle(kinds, random);
      for (Kind kind : kinds) {
        int distance = random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(Nodes.COUNT - 1);
        int millis = MILLIS_MIN + random.nextInt(MILLIS_MAX - MILLIS_MIN);
        int late = LATE_MILLIS_MIN + random.nextInt(LATE_MILLIS_MAX - LATE_MILLIS_MIN);
        int from = kind == Kind.DRAINED ? 0 : distance;
        faults.add(new Fault(kind, from, millis, late, random.nextBoolean()));
      }
    }
    return faults.subList(0, count);
  }

  int node(int owner) {
    return (owner + distance) % Nodes.COUNT;
  }

  /** How long it holds up what one node says to another when it happens to a node. */
  Duration delay(int node, int from, int to) {
    int next = (node + 1) % Nodes.COUNT;
    boolean isOf = from == node || to == node;
    Duration late = Duration.ofMillis(lateMillis);
    return switch (kind) {
      case CUT_OFF -> isOf ? NEVER : Duration.ZERO;
      case MUTE -> from == node ? NEVER : Duration.ZERO;
      case DEAF -> to == node ? NEVER : Duration.ZERO;
      case PARTED -> isOf && (from == next || to == next) ? NEVER : Duration.ZERO;
      case SLOW -> isOf ? late : Duration.ZERO;
      case HEARD_LATE -> from == node ? late : Duration.ZERO;
      default -> Duration.ZERO;
    };
  }

  /** How far a clock that is off is ahead. */
  Duration ahead() {
    return isAhead ? OFF : OFF.negated();
  }

  @Override
  public String toString() {
    String how =
        switch (kind) {
          case SLOW, HEARD_LATE, SLOW_DISK -> " by " + lateMillis + " ms";
          case CLOCK_STEPPED, CLOCK_OFF -> isAhead ? " ahead" : " back";
          default -> "";
        };
    return (distance == 0 ? "owner " : "other ") + kind + how + " for " + millis + " ms";
  }
}
