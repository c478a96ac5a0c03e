package io.penstock.server.node;

import io.penstock.core.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which counter of a key each limit of a policy reads. Immutable.
 *
 * <p>A limit reads the counter of its period, whatever policy it stands in, so that a more specific
 * policy, a changed tier or a moved customer continues what was used. Only where a limit took over
 * from one with another period does it read that one's counter, and this must be remembered.
 */
record Counters(Map<Long, Integer> moved) {
  /*
   * A period is known by its length in nanoseconds; the bound on what is held, of which a policy
   * has one, by -1. So no two limits of a policy are known by the same number.
   */
  static final Counters PLAIN = new Counters(Map.of());

  private static final long HELD = -1;
  private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

  Counters {
    moved = Map.copyOf(moved);
  }

  /** The counter that a limit reads. */
  int of(Limit limit) {
    Integer other = moved.get(period(limit));
    return other == null ? plain(period(limit)) : other;
  }

  /**
   * The counter that a limit of Envoy's reads: each unit has its own, as in envoyproxy/ratelimit.
   * It is even, and so never that of a policy.
   */
  static int ofGiven(Limit limit) {
    return plain(period(limit)) - 1;
  }

  /** The counter of a period; odd, and so never 0. */
  private static int plain(long period) {
    return (int) ((period * GOLDEN_RATIO) >>> Integer.SIZE) | 1;
  }

  private static long period(Limit limit) {
    return limit.isConcurrent() ? HELD : limit.periodNanos();
  }

  /*
   * A limit continues the counter of the old limit with the same period, else of the one at the
   * same place, else it gets its own. So "10/s; 1000/day" changed to "1000/day; 20/s" mixes nothing
   * up, and "10/day" changed to "10/hour" goes on.
   */
  /** The counters after limits of a policy were replaced by others. */
  Counters next(List<Limit> old, List<Limit> next) {
    Map<Long, Integer> result = new TreeMap<>();
    List<Integer> taken = new ArrayList<>();
    for (Limit limit : next) {
      if (old.stream().anyMatch(was -> period(was) == period(limit))) {
        result.put(period(limit), of(limit));
        taken.add(of(limit));
      }
    }
    for (int i = 0; i < next.size(); i++) {
      long period = period(next.get(i));
      if (!result.containsKey(period)) {
        boolean free = i < old.size() && !taken.contains(of(old.get(i)));
        int counter = free ? of(old.get(i)) : plain(period);
        while (taken.contains(counter)) {
          counter += 2;
        }
        result.put(period, counter);
        taken.add(counter);
      }
    }
    result.entrySet().removeIf(entry -> plain(entry.getKey()) == entry.getValue());
    return result.isEmpty() ? PLAIN : new Counters(result);
  }

  /** As {@link #parse} reads it; empty if nothing has moved. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(moved).forEach((period, counter) -> text.append(period + ":" + counter + " "));
    return text.toString().trim();
  }

  static Counters parse(String text) {
    if (text.isEmpty()) {
      return PLAIN;
    }
    Map<Long, Integer> moved = new TreeMap<>();
    for (String part : text.split(" ", -1)) {
      int colon = part.indexOf(':');
      moved.put(
          Long.parseLong(part.substring(0, colon)), Integer.parseInt(part.substring(colon + 1)));
    }
    return new Counters(moved);
  }
}
