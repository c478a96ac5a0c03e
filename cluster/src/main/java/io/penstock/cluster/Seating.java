package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a member stands in groups, as those who lead them say. Immutable.
 *
 * @param seats by the name of the group; a group is missing if nobody has answered for it
 * @param refusal why what was wished is not done; null if it is, or goes on
 */
record Seating(Map<String, Seat> seats, @Nullable String refusal) {
  static final Seating NONE = new Seating(Map.of(), /* refusal= */ null);

  static final Format FORMAT = new Format("seating", 1);

  private static final String BETWEEN = "\n";

  /** Where a member stands in a group. */
  enum Seat {
    /** It is in, and most of the others know that. */
    IN,
    /** The members change just now. */
    CHANGING,
    /** It may come in when it is ready. */
    WELCOME,
    /** It is not in, and may not come in. */
    OUT
  }

  Seating {
    seats = Map.copyOf(seats);
  }

  static Seating of(String group, Seat seat) {
    return new Seating(Map.of(group, seat), /* refusal= */ null);
  }

  static Seating refused(@Nullable String why) {
    return new Seating(Map.of(), why == null ? "refused" : why);
  }

  Seating and(Seating other) {
    Map<String, Seat> all = new TreeMap<>(seats);
    all.putAll(other.seats);
    return new Seating(all, refusal == null ? other.refusal : refusal);
  }

  /** Whether it is so in each of some groups. */
  boolean isAll(Collection<String> groups, Seat seat) {
    return groups.stream().allMatch(group -> seats.get(group) == seat);
  }

  boolean isAny(Seat seat) {
    return seats.containsValue(seat);
  }

  /** What keeps a node out of a cluster that has these groups, in words for its operator. */
  String absence(Peer node, Membership cluster, Collection<String> groups) {
    String id = cluster.cluster().toString();
    if (refusal != null) {
      return refusal;
    }
    if (isAny(Seat.OUT)) {
      return "node %s: not in cluster %s (expected: penstock cluster add %s)"
          .formatted(node.name(), id, node);
    }
    if (seats.keySet().containsAll(groups)) {
      return "node %s: not in cluster %s yet (expected: soon)".formatted(node.name(), id);
    }
    return ("node %s: its data is gone, and nobody leads cluster %s who could let it in"
            + " (expected: most of %s with their data; start them on the data that they had)")
        .formatted(node.name(), id, String.join(", ", cluster.names()));
  }

  byte[] write() {
    String told =
        seats.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(","));
    String why = refusal;
    return (FORMAT.number() + BETWEEN + told + (why == null ? "" : BETWEEN + why)).getBytes(UTF_8);
  }

  static Seating read(byte[] bytes) {
    String[] lines = new String(bytes, UTF_8).split(BETWEEN, 3);
    FORMAT.require(lines[0]);
    Map<String, Seat> seats = new TreeMap<>();
    for (String each : lines[1].isEmpty() ? new String[0] : lines[1].split(",", -1)) {
      int at = each.indexOf('=');
      seats.put(each.substring(0, Math.max(0, at)), Seat.valueOf(each.substring(at + 1)));
    }
    return new Seating(seats, lines.length == 2 ? null : lines[2]);
  }
}
