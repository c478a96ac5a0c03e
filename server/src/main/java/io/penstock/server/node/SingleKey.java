package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.core.policy.Glob;
import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one key that a scope names, if it names all values. */
final class SingleKey {
  private SingleKey() {}

  /** The key of a scope without wildcards and bare keys; null for every other. */
  static @Nullable Descriptor of(Scope scope) {
    List<Entry> entries = new ArrayList<>();
    for (Level level : scope.levels()) {
      Glob value = level.value();
      if (value == null || !value.isExact()) {
        return null;
      }
      entries.add(new Entry(level.key(), value.exact()));
    }
    return new Descriptor(entries);
  }
}
