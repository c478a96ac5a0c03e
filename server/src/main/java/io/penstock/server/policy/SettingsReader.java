package io.penstock.server.policy;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.policy.Consistency;
import io.penstock.core.policy.Scope;
import io.penstock.server.Bounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads one layer of settings and collects every problem. Confined to the thread that reads. */
final class SettingsReader {
  static final List<String> FIELDS =
      List.of(
          "limits",
          "unlimited",
          "blocked",
          "algorithm",
          "failMode",
          "consistency",
          "class",
          "localCap",
          "shadow",
          "enabled",
          "refunds",
          "budgetMs",
          "share");

  private static final int CLASS_CHARS_MAX = 64;
  private static final int BUDGET_MILLIS_MAX = 10_000;
  private static final Pattern BUDGET = Pattern.compile("[1-9][0-9]{0,4}");

  private final Map<String, Tree> values = new LinkedHashMap<>();
  private final boolean stored;
  private final List<Problem> problems;

  /**
   * A reader of these fields and no others; each problem is added to the list.
   *
   * @param stored whether they are in force already: then they are read as they are counted
   */
  SettingsReader(Tree.Fields object, List<String> known, boolean stored, List<Problem> problems) {
    this.stored = stored;
    this.problems = problems;
    for (Tree.Field field : object.fields()) {
      if (!known.contains(field.name())) {
        problems.add(field.value().problem("no such field; one of " + String.join(", ", known)));
      } else if (values.putIfAbsent(field.name(), field.value()) != null) {
        problems.add(field.value().problem("each field once"));
      }
    }
  }

  Settings read() {
    return new Settings(
        limits(),
        Boolean.TRUE.equals(flag("unlimited")),
        Boolean.TRUE.equals(flag("blocked")),
        algorithm(),
        choice("failMode", FailMode.class),
        consistency(),
        serviceClass(),
        localCap(),
        flag("shadow"),
        flag("enabled"),
        flag("refunds"),
        budgetMillis(),
        share());
  }

  /** The value of a field, or null if it is not there. */
  @Nullable Tree value(String name) {
    return values.get(name);
  }

  Set<String> names() {
    return values.keySet();
  }

  /** A text, or null if it is not there or, with a problem, none. */
  Tree.@Nullable Scalar text(String name, String expected) {
    Tree value = values.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Tree.Scalar scalar && scalar.type() == Tree.Type.TEXT) {
      return scalar;
    }
    problems.add(value.problem(expected));
    return null;
  }

  private @Nullable Boolean flag(String name) {
    Tree value = values.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof Tree.Scalar scalar && scalar.type() == Tree.Type.BOOLEAN) {
      return Boolean.valueOf(scalar.text());
    }
    problems.add(value.problem("true or false"));
    return null;
  }

  private @Nullable List<PlacedLimit> limits() {
    Tree value = values.get("limits");
    if (value == null) {
      return null;
    }
    List<PlacedLimit> limits = new ArrayList<>();
    int size = value instanceof Tree.Items list ? list.items().size() : 0;
    if (size == 0 || size > Bounds.LIMITS) {
      problems.add(value.problem("a list of 1.." + Bounds.LIMITS + " limits, as [\"100/s\"]"));
    }
    for (Tree item : items(value)) {
      Limit limit = limit(item);
      if (limit != null) {
        limits.add(new PlacedLimit(item.where(), limit));
      }
    }
    return stored ? LimitChecks.countable(limits, PlacedLimit::limit) : limits;
  }

  /** What a list holds, as far as anybody is told of mistakes in it; nothing if it is none. */
  private static List<Tree> items(Tree value) {
    List<Tree> all = value instanceof Tree.Items list ? list.items() : List.of();
    return all.subList(0, Math.min(all.size(), InvalidPolicyException.PROBLEMS_MAX));
  }

  private @Nullable Limit limit(Tree value) {
    if (value instanceof Tree.Scalar scalar && scalar.type() == Tree.Type.TEXT) {
      return LimitChecks.parse(scalar, problems);
    }
    problems.add(value.problem("a limit as a text, as \"100/s\""));
    return null;
  }

  private @Nullable Algorithm algorithm() {
    String names = Algorithm.all().stream().map(Algorithm::name).collect(Collectors.joining(", "));
    Tree.Scalar name = text("algorithm", names);
    if (name == null) {
      return null;
    }
    for (Algorithm algorithm : Algorithm.all()) {
      if (algorithm.name().equals(name.text())) {
        return algorithm;
      }
    }
    problems.add(name.problem(names));
    return null;
  }

  private @Nullable Consistency consistency() {
    Tree value = values.get("consistency");
    if (value instanceof Tree.Scalar scalar && scalar.text().equals("async")) {
      String words = Words.list(Consistency.class);
      problems.add(value.problem(words + "; async needs a backend that offers it"));
      return null;
    }
    return choice("consistency", Consistency.class);
  }

  private <E extends Enum<E>> @Nullable E choice(String name, Class<E> choices) {
    Tree.Scalar word = text(name, Words.list(choices));
    E choice = word == null ? null : Words.named(choices, word.text());
    if (word != null && choice == null) {
      problems.add(word.problem(Words.list(choices)));
    }
    return choice;
  }

  private @Nullable String serviceClass() {
    String expected = "a text of 1.." + CLASS_CHARS_MAX + " characters, as abuse, paid, free";
    Tree.Scalar name = text("class", expected);
    if (name == null) {
      return null;
    }
    if (name.text().isEmpty() || name.text().length() > CLASS_CHARS_MAX) {
      problems.add(name.problem(expected));
    }
    return name.text();
  }

  private @Nullable List<String> share() {
    Tree value = values.get("share");
    if (value == null) {
      return null;
    }
    List<String> keys = new ArrayList<>();
    if (!(value instanceof Tree.Items list) || list.items().size() > Scope.LEVELS_MAX) {
      problems.add(value.problem("a list of at most " + Scope.LEVELS_MAX + " keys of the scope"));
    }
    for (Tree item : items(value)) {
      if (item instanceof Tree.Scalar key && key.type() == Tree.Type.TEXT) {
        keys.add(key.text());
      } else {
        problems.add(item.problem("a key of the scope, as a text"));
      }
    }
    return keys;
  }

  private @Nullable Integer budgetMillis() {
    Tree value = values.get("budgetMs");
    if (value == null) {
      return null;
    }
    if (value instanceof Tree.Scalar scalar
        && scalar.type() == Tree.Type.NUMBER
        && BUDGET.matcher(scalar.text()).matches()
        && Integer.parseInt(scalar.text()) <= BUDGET_MILLIS_MAX) {
      return Integer.valueOf(scalar.text());
    }
    problems.add(value.problem("a whole number of milliseconds, 1.." + BUDGET_MILLIS_MAX));
    return null;
  }

  private @Nullable Limit localCap() {
    Tree.Scalar text = text("localCap", "a limit as a text, as \"100/s\"");
    Limit limit = text == null ? null : LimitChecks.parse(text, problems);
    if (text != null && limit != null && limit.isConcurrent()) {
      problems.add(text.problem("a rate, as 100/s"));
    }
    return limit;
  }
}
