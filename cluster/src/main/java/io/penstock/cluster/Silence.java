package io.penstock.cluster;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why other nodes do not answer, where that is known; logged once until they do. Thread-safe. */
final class Silence {
  private static final System.Logger LOG = System.getLogger(Silence.class.getName());

  /** Of one node; what else keeps it from answering is only told in health. */
  private static final int LOGGED_MAX = 8;

  private final Map<String, String> reasons = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> logged = new ConcurrentHashMap<>();

  /** A node has answered. */
  void ends(String name) {
    reasons.remove(name);
    logged.remove(name);
  }

  /** A node has not answered. */
  void lasts(String name, Throwable failure) {
    String why = reason(failure);
    if (why == null) {
      reasons.remove(name);
    } else if (!why.equals(reasons.put(name, why))) {
      log(name, why);
    }
  }

  private static @Nullable String reason(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause instanceof FormatException || cause instanceof DistrustException
        ? String.valueOf(cause.getMessage())
        : null;
  }

  private void log(String name, String why) {
    Set<String> known = logged.computeIfAbsent(name, any -> ConcurrentHashMap.newKeySet());
    if (known.size() < LOGGED_MAX && known.add(why)) {
      LOG.log(WARNING, "node {0} does not answer: {1}", name, why);
    }
  }

  /** A node that does not answer, and why. */
  String of(String name) {
    String why = reasons.get(name);
    return why == null ? name : name + " [" + why + "]";
  }

  /** All of which it is known why; empty if there are none. */
  String all() {
    return reasons.keySet().stream().sorted().map(this::of).collect(Collectors.joining(", "));
  }
}
