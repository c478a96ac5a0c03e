package io.penstock.cli.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Something that happens to one node. Immutable.
 *
 * @param distance how far the node is from the owner: 0 is the owner itself
 * @param millis how long it lasts, beside the time that a node takes to start
 */
record Fault(Kind kind, int distance, int millis) {
  private static final int MILLIS_MIN = 200;
  private static final int MILLIS_MAX = 4_000;

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
    PARTED
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
        faults.add(new Fault(kind, distance, millis));
      }
    }
    return faults.subList(0, count);
  }

  int node(int owner) {
    return (owner + distance) % Nodes.COUNT;
  }

  /** Whether it cuts the wire from one node to another when it happens to a node. */
  boolean cuts(int node, int from, int to) {
    int next = (node + 1) % Nodes.COUNT;
    return switch (kind) {
      case CUT_OFF -> from == node || to == node;
      case MUTE -> from == node;
      case DEAF -> to == node;
      case PARTED -> (from == node && to == next) || (from == next && to == node);
      case KILLED, ENDED, PAUSED -> false;
    };
  }

  @Override
  public String toString() {
    return (distance == 0 ? "owner" : "other") + " " + kind + " for " + millis + " ms";
  }
}
