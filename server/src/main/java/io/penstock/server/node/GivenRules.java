package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The rules of limits that come with requests, each made once as long as there are few. */
final class GivenRules {
  /** The counter of a key that buckets in requests read, whatever their period: it has no other. */
  static final int COUNTER = 2;

  /** One limit of each unit that Envoy sends: it reads the counter of all others of that unit. */
  static final List<Limit> UNITS =
      Stream.of("s", "min", "hour", "day", "week", "month", "year")
          .map(unit -> Limit.parse("1/" + unit))
          .toList();

  private static final int REMEMBERED = 1_024;

  private static final Map<Limit, Rule> WINDOWS = new ConcurrentHashMap<>();
  private static final Map<Limit, Rule> BUCKETS = new ConcurrentHashMap<>();

  /** A rule to ask about a key where its limit does not matter. */
  static final Rule ANY = bucket(Limit.parse("1/s"));

  private GivenRules() {}

  /** The rule of a limit that Envoy sends along: a window, as that protocol knows nothing else. */
  static Rule of(Limit limit) {
    return known(WINDOWS, limit, Algorithm.FIXED_WINDOW);
  }

  /** The rule of a limit that a Redis client sends along: a bucket, as in redis-cell. */
  static Rule bucket(Limit limit) {
    return known(BUCKETS, limit, Algorithm.GCRA);
  }

  private static Rule known(Map<Limit, Rule> rules, Limit limit, Algorithm algorithm) {
    Rule known = rules.get(limit);
    if (known != null) {
      return known;
    }
    if (rules.size() >= REMEMBERED) {
      rules.clear();
    }
    return rules.computeIfAbsent(limit, given -> Rules.given(given, algorithm));
  }
}
