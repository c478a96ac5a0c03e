package io.penstock.core.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Scopes in a plain map, matched in the obvious way: the oracle of {@link ScopeIndex}.
 *
 * <p>Every level that matches has a rank, smaller if it is more specific; of all scopes that match,
 * the one whose first level ranks best wins, then the second, and so on.
 */
final class NaiveBook {
  private final Map<Scope, String> values = new LinkedHashMap<>();

  void put(Scope scope, String value) {
    values.put(scope, value);
  }

  void remove(Scope scope) {
    values.remove(scope);
  }

  int size() {
    return values.size();
  }

  @Nullable String get(Scope scope) {
    return values.get(scope);
  }

  @Nullable String find(String domain, Descriptor descriptor) {
    return best(domain, descriptor.entries(), /* among= */ null);
  }

  /**
   * What covers a scope besides itself, found by asking for a descriptor that only such scopes
   * match: a character that nobody uses stands for its wildcards.
   */
  @Nullable String findLess(Scope scope, String unused) {
    List<Entry> entries = new ArrayList<>();
    for (Level level : scope.levels()) {
      Glob value = level.value();
      entries.add(
          new Entry(level.key(), value == null ? unused : value.toString().replace("*", unused)));
    }
    List<Scope> lesser =
        values.keySet().stream()
            .filter(each -> !each.equals(scope))
            .filter(each -> bareWhereBare(each, scope))
            .toList();
    return best(scope.domain(), entries, lesser);
  }

  /** A star in the place of a bare key covers it too, but is more specific than it. */
  private static boolean bareWhereBare(Scope each, Scope scope) {
    for (int i = 0; i < Math.min(each.levels().size(), scope.levels().size()); i++) {
      if (scope.levels().get(i).value() == null && each.levels().get(i).value() != null) {
        return false;
      }
    }
    return true;
  }

  private @Nullable String best(String domain, List<Entry> entries, @Nullable List<Scope> among) {
    return values.keySet().stream()
        .filter(scope -> among == null || among.contains(scope))
        .filter(scope -> scope.domain().equals(domain) && matches(scope.levels(), entries))
        .min(byPrecedence())
        .map(values::get)
        .orElse(null);
  }

  private static boolean matches(List<Level> levels, List<Entry> entries) {
    boolean matches = levels.size() == entries.size();
    for (int i = 0; matches && i < entries.size(); i++) {
      Glob value = levels.get(i).value();
      matches =
          levels.get(i).key().equals(entries.get(i).key())
              && (value == null || pattern(value).matcher(entries.get(i).value()).matches());
    }
    return matches;
  }

  private static Pattern pattern(Glob glob) {
    StringBuilder regex = new StringBuilder(Pattern.quote(glob.part(0)));
    for (int i = 1; i < glob.parts(); i++) {
      regex.append(".*").append(Pattern.quote(glob.part(i)));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static Comparator<Scope> byPrecedence() {
    return (one, other) -> {
      int order = 0;
      for (int i = 0; order == 0 && i < one.levels().size(); i++) {
        order = compare(one.levels().get(i).value(), other.levels().get(i).value());
      }
      return order;
    };
  }

  private static int compare(@Nullable Glob one, @Nullable Glob other) {
    int order = Integer.compare(kind(one), kind(other));
    return order != 0 || one == null || other == null ? order : Glob.precedence(one, other);
  }

  private static int kind(@Nullable Glob value) {
    return value == null ? 2 : value.isExact() ? 0 : 1;
  }
}
