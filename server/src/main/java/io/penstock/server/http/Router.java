package io.penstock.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the place of a path. Immutable. */
final class Router {
  private static final String[] NO_VALUES = {};

  /**
   * Where a path leads.
   *
   * @param values what stands for the names of the path, not decoded
   */
  record Found(Place place, String[] values) {}

  private final Map<String, Found> literal = new HashMap<>();
  private final List<Place> named = new ArrayList<>();

  Router(List<Route> routes) {
    Map<String, Place> places = new LinkedHashMap<>();
    for (Route route : routes) {
      places.computeIfAbsent(route.path(), Place::new).add(route);
    }
    places.forEach(
        (path, place) -> {
          if (place.hasNames()) {
            named.add(place);
          } else {
            literal.put(path, new Found(place, NO_VALUES));
          }
        });
  }

  /** The place of a path as it was sent, without query; null if there is none. */
  @Nullable Found find(String path) {
    Found found = literal.get(path);
    if (found != null) {
      return found;
    }
    // A longer one leads nowhere, unless it goes on as the client likes.
    List<String> segments = List.of(path.split("/", -1));
    for (Place place : named) {
      String[] values = place.match(segments);
      if (values != null) {
        return new Found(place, values);
      }
    }
    return null;
  }
}
