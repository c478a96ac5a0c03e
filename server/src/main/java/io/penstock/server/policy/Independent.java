package io.penstock.server.policy;

import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The documents of one transaction, none of which bears on another. Confined to one thread.
 *
 * <p>Which counters a policy reads depends on its tier and on the policy that applied to its keys
 * before. So a change must be in force before the counters of another that bears on the same keys
 * are decided, and the two cannot be in one transaction.
 */
final class Independent {
  private final Set<String> names = new HashSet<>();
  private final Set<List<String>> single = new HashSet<>();
  private final Set<List<String>> general = new HashSet<>();
  private boolean hasTier;

  /** Adds a document; false, and nothing is added, if it bears on one that is here. */
  boolean add(Kind kind, String name) {
    if (kind == Kind.TIER) {
      boolean first = !hasTier && names.isEmpty();
      hasTier = true;
      return first;
    }
    Scope scope = Scope.parse(name);
    List<String> keys = keys(scope);
    boolean isSingle = scope.levels().stream().allMatch(Independent::isExact);
    boolean related = general.contains(keys) || (!isSingle && single.contains(keys));
    if (hasTier || related || !names.add(name)) {
      return false;
    }
    (isSingle ? single : general).add(keys);
    return true;
  }

  private static boolean isExact(Level level) {
    return level.value() != null && level.value().isExact();
  }

  private static List<String> keys(Scope scope) {
    List<String> keys = new ArrayList<>();
    keys.add(scope.domain());
    scope.levels().forEach(level -> keys.add(level.key()));
    return keys;
  }
}
