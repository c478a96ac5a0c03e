package io.penstock.server.policy;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;
import io.penstock.core.policy.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A policy or a tier as it is written, in JSON or YAML. Immutable.
 *
 * <p>A policy says its limits itself, or is unlimited, or refers to a tier. What it says beside a
 * tier, in {@code override} or without, takes the place of what the tier says.
 */
public final class PolicyDocument {
  private static final String ONE_OF_TIER = "one of limits, unlimited: true, blocked: true";
  private static final String ONE_OF_POLICY = ONE_OF_TIER + ", tier";
  private static final List<String> POLICY_FIELDS =
      Stream.concat(SettingsReader.FIELDS.stream(), Stream.of("tier", "override")).toList();

  private final String json;
  private final Settings settings;
  private final Tree.@Nullable Scalar tier;
  private final boolean bare;
  private final List<Tree> shared;

  private PolicyDocument(
      String json, Settings settings, Tree.@Nullable Scalar tier, boolean bare, List<Tree> shared) {
    this.json = json;
    this.settings = settings;
    this.tier = tier;
    this.bare = bare;
    this.shared = shared;
  }

  /**
   * Reads a document that is in force, or was found fit to be.
   *
   * @throws InvalidPolicyException that says everything that is wrong with it
   */
  public static PolicyDocument parse(Kind kind, String json) {
    List<Problem> problems = new ArrayList<>();
    PolicyDocument document = read(kind, TreeReader.json(json), json, /* stored= */ true, problems);
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
    return document;
  }

  /** Reads one that is proposed: what is wrong with it is told with its tier, known by name. */
  public static PolicyDocument parse(
      Kind kind, String json, Function<String, @Nullable PolicyDocument> tiers) {
    List<Problem> problems = new ArrayList<>();
    PolicyDocument document =
        read(kind, TreeReader.json(json), json, /* stored= */ false, problems);
    if (!problems.isEmpty()) {
      document.addOfTier(tiers, problems);
      throw new InvalidPolicyException(problems);
    }
    return document;
  }

  /** Everything that is wrong with a document by itself; nothing if it is valid. */
  public static List<Problem> problems(Kind kind, String json) {
    List<Problem> problems = new ArrayList<>();
    PolicyDocument unused = readNew(kind, json, /* scope= */ null, problems);
    return problems;
  }

  /**
   * Reads a document that is to be put in force, and adds everything that is wrong with it by
   * itself; null if it is no document at all.
   *
   * @param scope null if there is none
   */
  static @Nullable PolicyDocument readNew(
      Kind kind, String json, @Nullable Scope scope, List<Problem> problems) {
    try {
      return readNew(kind, TreeReader.json(json), json, scope, problems);
    } catch (InvalidPolicyException e) {
      problems.addAll(e.problems());
      return null;
    }
  }

  /**
   * Reads a document that is to be put in force, and adds everything that is wrong with it. What is
   * in force already may be more than that: it was read by an earlier version.
   *
   * @param scope null if there is none
   */
  static PolicyDocument readNew(
      Kind kind, Tree tree, String json, @Nullable Scope scope, List<Problem> problems) {
    PolicyDocument document = read(kind, tree, json, /* stored= */ false, problems);
    if (document.tier != null) {
      document.settings.checkOwn(problems);
    }
    if (scope != null) {
      problems.addAll(document.problemsAt(scope));
    }
    return document;
  }

  /** Reads a document that was read into a tree from this JSON, or can be written so. */
  private static PolicyDocument read(
      Kind kind, Tree tree, String json, boolean stored, List<Problem> problems) {
    if (!(tree instanceof Tree.Fields object)) {
      throw new InvalidPolicyException(List.of(tree.problem("an object")));
    }
    List<String> known = kind == Kind.TIER ? SettingsReader.FIELDS : POLICY_FIELDS;
    SettingsReader reader = new SettingsReader(object, known, stored, problems);
    Settings own = reader.read();
    Tree.Scalar tier = reader.text("tier", "the name of a tier");
    checkOne(object, reader, own, kind == Kind.TIER ? ONE_OF_TIER : ONE_OF_POLICY, problems);
    Settings override = override(reader, stored, problems);
    Settings settings = override == null ? own : override.over(own);
    if (reader.value("tier") == null) {
      settings.check(problems);
    }
    boolean bare = reader.names().size() == 1;
    return new PolicyDocument(json, settings, tier, bare, shared(reader));
  }

  /** Each key that this says is shared, where it says so. */
  private static List<Tree> shared(SettingsReader reader) {
    Stream<Tree> overridden =
        reader.value("override") instanceof Tree.Fields override
            ? override.fields().stream()
                .filter(field -> field.name().equals("share"))
                .map(Tree.Field::value)
            : Stream.of();
    return Stream.concat(Stream.ofNullable(reader.value("share")), overridden)
        .filter(Tree.Items.class::isInstance)
        .flatMap(list -> ((Tree.Items) list).items().stream())
        .toList();
  }

  /**
   * What is wrong with this at a scope: keys that are shared and that the scope does not have.
   * Those of a tier may be meant for other scopes.
   */
  private List<Problem> problemsAt(Scope scope) {
    List<String> keys = scope.levels().stream().map(Level::key).toList();
    String expected = "keys of the scope: " + String.join(", ", keys);
    return shared.stream()
        .filter(each -> each instanceof Tree.Scalar key && !keys.contains(key.text()))
        .map(each -> each.problem(expected))
        .toList();
  }

  private static void checkOne(
      Tree.Fields object,
      SettingsReader reader,
      Settings own,
      String oneOf,
      List<Problem> problems) {
    List<Tree> given =
        Stream.of(
                reader.value("limits"),
                reader.value("tier"),
                own.unlimited() ? reader.value("unlimited") : null,
                own.blocked() ? reader.value("blocked") : null)
            .filter(Objects::nonNull)
            .toList();
    if (given.isEmpty()) {
      String where = object.where().replaceFirst("^document", "limits");
      problems.add(new Problem(where, "nothing", oneOf));
    }
    given.stream().skip(1).forEach(other -> problems.add(other.problem("only " + oneOf)));
  }

  private static @Nullable Settings override(
      SettingsReader reader, boolean stored, List<Problem> problems) {
    Tree override = reader.value("override");
    if (override == null) {
      return null;
    }
    if (reader.value("tier") == null) {
      problems.add(override.problem("no override without a tier"));
    }
    if (!(override instanceof Tree.Fields object)) {
      problems.add(override.problem("an object with what differs from the tier"));
      return null;
    }
    SettingsReader inner = new SettingsReader(object, SettingsReader.FIELDS, stored, problems);
    for (String name : inner.names()) {
      Tree twice = reader.value(name);
      if (twice != null) {
        problems.add(twice.problem("not here and in override"));
      }
    }
    Settings settings = inner.read();
    Tree unlimited = inner.value("unlimited");
    if (settings.limits() != null && settings.unlimited() && unlimited != null) {
      problems.add(unlimited.problem("no limits beside unlimited: true"));
    }
    Tree blocked = inner.value("blocked");
    if ((settings.limits() != null || settings.unlimited())
        && settings.blocked()
        && blocked != null) {
      problems.add(blocked.problem("no limits and no unlimited beside blocked: true"));
    }
    return settings;
  }

  /** The text as it was put. */
  public String json() {
    return json;
  }

  /** The tier this refers to, or null. */
  public @Nullable String tier() {
    return tier == null ? null : tier.text();
  }

  /** The limits that this says itself. */
  public List<Limit> ownLimits() {
    List<PlacedLimit> own = settings.limits();
    return own == null ? List.of() : own.stream().map(PlacedLimit::limit).toList();
  }

  /** The algorithm that this says itself; null if it says nothing of that. */
  public @Nullable Algorithm ownAlgorithm() {
    return settings.algorithm();
  }

  /** Says that there is no such tier. */
  public InvalidPolicyException unknownTier() {
    return new InvalidPolicyException(problemsWith(/* known= */ null));
  }

  /** Adds to what is wrong with this by itself what is wrong with it and its tier. */
  void addOfTier(Function<String, @Nullable PolicyDocument> tiers, List<Problem> problems) {
    List<Problem> more = tier == null ? List.of() : problemsWith(tiers.apply(tier.text()));
    more.stream().filter(each -> !problems.contains(each)).forEach(problems::add);
  }

  /** What is wrong with this and its tier; there is none of that name if it is null. */
  private List<Problem> problemsWith(@Nullable PolicyDocument known) {
    if (tier == null || known == null) {
      return tier == null ? List.of() : List.of(tier.problem("a tier that exists"));
    }
    List<Problem> problems = new ArrayList<>();
    all(known).check(problems);
    return settings.limits() == null ? ofTier(problems) : problems;
  }

  /** Whether this says nothing beside its tier, and so is right whenever the tier is. */
  boolean isBare() {
    return bare;
  }

  /**
   * What this says once its tier and the defaults are filled in.
   *
   * @param tier the document of {@link #tier}; null if there is none
   * @throws InvalidPolicyException if this and the tier do not fit together
   */
  public Terms terms(@Nullable PolicyDocument tier) {
    Settings all = all(tier);
    List<Problem> problems = problemsWith(tier);
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
    return all.terms();
  }

  /** Says of problems with limits that they are those of the tier. */
  private List<Problem> ofTier(List<Problem> problems) {
    return problems.stream()
        .map(p -> new Problem("tier " + tier() + ": " + p.field(), p.value(), p.expected()))
        .toList();
  }

  /** What the writer of this should know. */
  public List<String> warnings(@Nullable PolicyDocument tier) {
    return all(tier).warnings();
  }

  private Settings all(@Nullable PolicyDocument tier) {
    if ((this.tier == null) != (tier == null)) {
      throw new IllegalArgumentException(
          "tier: " + (tier == null ? "null" : "given") + " (expected: that of " + tier() + ")");
    }
    return tier == null ? settings : settings.over(tier.settings);
  }
}
