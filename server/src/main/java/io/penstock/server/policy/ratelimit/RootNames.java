package io.penstock.server.policy.ratelimit;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;

/**
 * The names of the fields at the root of YAML documents, however they are written: block or flow
 * style, with quotes or without. Confined to the thread that reads.
 */
final class RootNames {
  private int depth;
  private boolean isMapping;
  private boolean nameIsNext;

  private RootNames() {}

  /** The first of these names that comes, of which no more is read than needed; null if none. */
  static @Nullable String first(Iterable<Event> events, Collection<String> wanted) {
    RootNames names = new RootNames();
    for (Event event : events) {
      String name = names.next(event);
      if (name != null && wanted.contains(name)) {
        return name;
      }
    }
    return null;
  }

  /** The name that an event is; null if it is something else. */
  private @Nullable String next(Event event) {
    if (event instanceof CollectionEndEvent) {
      depth--;
    }
    if (!(event instanceof NodeEvent)) {
      return null;
    }
    boolean isName = depth == 1 && nameIsNext;
    if (depth == 0) {
      isMapping = event instanceof MappingStartEvent;
      nameIsNext = isMapping;
    } else if (depth == 1) {
      nameIsNext = isMapping && !nameIsNext;
    }
    if (event instanceof CollectionStartEvent) {
      depth++;
    }
    return isName && event instanceof ScalarEvent scalar ? scalar.getValue() : null;
  }
}
