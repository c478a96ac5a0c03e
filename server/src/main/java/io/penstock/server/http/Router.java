package io.penstock.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the place of a path. Immutable. */
final class Router {
  /**
   * Where a path leads.
   *
   * @param values what stands for the names of the path, not decoded
   */
  record Found(Place place, List<String> values) {}

  private final Map<String, Found> literal = new HashMap<>();
  private final List<Place> named = new ArrayList<>();

  private final int nothing;

  /**
   * A router of these routes.
   *
   * @param nothing the status where no place is: 404, or 503 as long as most are still to come
   */
  Router(List<Route> routes, int nothing) {
    this.nothing = nothing;
    Map<String, Place> places = new LinkedHashMap<>();
    for (Route route : routes) {
      places.computeIfAbsent(route.path(), Place::new).add(route);
    }
    places.forEach(
        (path, place) -> {
          if (place.hasNames()) {
            named.add(place);
          } else {
            literal.put(path, new Found(place, List.of()));
          }
        });
  }

  /** What is told about a path that leads nowhere. */
  Refusal refusal() {
    return Refusal.of(nothing, nothing == 404 ? "nothing is here" : "not loaded yet");
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
      List<String> values = place.match(segments);
      if (values != null) {
        return new Found(place, values);
      }
    }
    return null;
  }
}
