package io.penstock.server.policy;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.core.policy.Glob;
import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;
import java.util.ArrayList;
import java.util.List;

/** Which values of a scope are counted together. Immutable. */
public final class Sharing {
  private static final String EVERY = "*";

  private final List<Level> levels;
  private final List<String> share;

  private Sharing(List<Level> levels, List<String> share) {
    this.levels = levels;
    this.share = share;
  }

  /** Values of these keys are counted together where the scope does not name one of them. */
  public static Sharing of(Scope scope, List<String> share) {
    return new Sharing(scope.levels(), share);
  }

  /** What is counted for a descriptor to which the scope applies: the same for all who share. */
  public Descriptor key(Descriptor descriptor) {
    List<Entry> entries = new ArrayList<>(descriptor.entries());
    for (int i = 0; i < entries.size() && i < levels.size(); i++) {
      Glob value = levels.get(i).value();
      String key = levels.get(i).key();
      if (share.contains(key) && (value == null || !value.isExact())) {
        entries.set(i, new Entry(key, value == null ? EVERY : value.toString()));
      }
    }
    return new Descriptor(entries);
  }
}
