package io.penstock.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A path and the routes that share it. Immutable once the router is built. */
final class Place {
  private static final String EVERY = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, TRACE";

  private final String path;
  private final List<String> segments;
  private final Map<String, Route> routes = new TreeMap<>();
  private @Nullable Route any;

  Place(String path) {
    this.path = path;
    this.segments = List.of(path.split("/", -1));
  }

  void add(Route route) {
    boolean isDouble = route.takesAnyMethod() ? any != null : routes.containsKey(route.method());
    if (isDouble) {
      throw new IllegalArgumentException(
          "route: " + route.method() + " " + path + " (expected: once)");
    }
    if (route.takesAnyMethod()) {
      any = route;
    } else {
      routes.put(route.method(), route);
    }
  }

  /** The route of a method; null if the place does not know it. {@code HEAD} is told as a GET. */
  @Nullable Route route(String method) {
    // Whoever sends CONNECT takes a 200 for a tunnel, and what follows for its content.
    Route route = any != null && !method.equals("CONNECT") ? any : routes.get(method);
    return route == null && method.equals("HEAD") ? routes.get("GET") : route;
  }

  /** For {@code Allow}. */
  String methods() {
    if (any != null) {
      return EVERY;
    }
    String methods = String.join(", ", routes.keySet());
    return routes.containsKey("GET") ? methods + ", HEAD" : methods;
  }

  boolean hasNames() {
    return path.indexOf('{') >= 0;
  }

  /** What stands for the names, not decoded, in order; null if the path is another. */
  @Nullable List<String> match(List<String> given) {
    int size = segments.size();
    if (given.size() < size || (given.size() > size && any == null)) {
      return null;
    }
    List<String> values = new ArrayList<>(2);
    for (int i = 0; i < size; i++) {
      if (segments.get(i).startsWith("{")) {
        values.add(given.get(i));
      } else if (!segments.get(i).equals(given.get(i))) {
        return null;
      }
    }
    return values;
  }
}
