package io.penstock.server.node;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The rules of limits that come with requests, each made once as long as there are few. */
final class GivenRules {
  /** The counter of a key that limits in requests read: no period has it. */
  static final int COUNTER = 2;

  private static final int REMEMBERED = 1_024;

  private static final Map<Limit, Rule> RULES = new ConcurrentHashMap<>();

  private GivenRules() {}

  /** The rule of a limit that Envoy sends along: a window, as that protocol knows nothing else. */
  static Rule of(Limit limit) {
    Rule known = RULES.get(limit);
    if (known != null) {
      return known;
    }
    if (RULES.size() >= REMEMBERED) {
      RULES.clear();
    }
    return RULES.computeIfAbsent(limit, given -> Rules.given(given, Algorithm.FIXED_WINDOW));
  }
}
