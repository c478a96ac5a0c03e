package io.penstock.server.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a document may be called: a policy by its scope, a tier by a short text. */
final class DocumentName {
  private static final System.Logger LOG = System.getLogger(DocumentName.class.getName());

  private static final int TIER_CHARS_MAX = 128;
  private static final int SHOWN_CHARS = 64;
  private static final String EVERY = "*";

  private DocumentName() {}

  /** What is wrong with a name; null if it can be used. */
  static @Nullable Problem problem(Kind kind, String name) {
    if (kind == Kind.TIER) {
      boolean good = !name.isEmpty() && name.length() <= TIER_CHARS_MAX && isPlain(name);
      String expected = "1.." + TIER_CHARS_MAX + " characters, no control characters";
      return good ? null : new Problem("tier", name, expected);
    }
    try {
      Scope.parse(name);
      return null;
    } catch (IllegalArgumentException e) {
      return new Problem("scope", name, CoreErrors.expected(e, "scope"));
    }
  }

  /**
   * What is wrong with a name that is to be put in force; null if nothing is. There may be older
   * ones, which can still be read and deleted.
   */
  static @Nullable Problem problemOfNew(Kind kind, String name) {
    Problem problem = problem(kind, name);
    if (problem != null || kind == Kind.TIER) {
      return problem;
    }
    Scope scope = Scope.parse(name);
    if (scope.domain().equals(EVERY)) {
      return new Problem("scope", name, "the name of a domain; only values have wildcards");
    }
    Scope single = scope.withSingleStars();
    return single.equals(scope) ? null : new Problem("scope", name, "written as " + single);
  }

  private static boolean isPlain(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  /**
   * Throws everything that is wrong with a name that is to be put in force, and with its document.
   *
   * <p>A tier that does not exist, or does not fit, is told with other mistakes only: alone it is
   * for whoever writes, who sees the tier and the version at one instant.
   *
   * @param keyBytesMax how long the domain and the keys of a check may be: a scope with a longer
   *     one would never match
   * @param tiers what is in force by the name of a tier
   */
  static void check(
      Kind kind,
      String name,
      String json,
      int keyBytesMax,
      Function<String, @Nullable Stored> tiers) {
    Problem wrong = problemOfNew(kind, name);
    Scope scope = wrong != null || kind == Kind.TIER ? null : Scope.parse(name);
    List<Problem> problems = new ArrayList<>();
    if (wrong != null) {
      problems.add(wrong);
    }
    if (scope != null) {
      problems.addAll(unmatched(scope, keyBytesMax));
    }
    PolicyDocument document = PolicyDocument.readNew(kind, json, scope, problems);
    if (!problems.isEmpty()) {
      if (document != null) {
        addOfTier(document, tiers, problems);
      }
      throw new InvalidPolicyException(problems);
    }
  }

  /* If nobody can say what the tier is, what is wrong here is told all the same. */
  private static void addOfTier(
      PolicyDocument document, Function<String, @Nullable Stored> tiers, List<Problem> problems) {
    try {
      document.addOfTier(tier -> parsed(tiers.apply(tier)), problems);
    } catch (StoreUnavailableException unread) {
      LOG.log(System.Logger.Level.DEBUG, "a tier is not known", unread);
    }
  }

  private static @Nullable PolicyDocument parsed(@Nullable Stored tier) {
    return tier == null ? null : PolicyDocument.parse(Kind.TIER, tier.document());
  }

  private static List<Problem> unmatched(Scope scope, int bytesMax) {
    return Stream.concat(Stream.of(scope.domain()), scope.levels().stream().map(Level::key))
        .filter(part -> part.getBytes(UTF_8).length > bytesMax)
        .map(part -> new Problem("scope", cut(part), expected(part, bytesMax)))
        .toList();
  }

  private static String cut(String part) {
    int end = Math.min(part.length(), SHOWN_CHARS);
    return part.substring(0, Character.isHighSurrogate(part.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  private static String expected(String part, int bytesMax) {
    int bytes = part.getBytes(UTF_8).length;
    return "domain and keys of at most " + bytesMax + " bytes, as checks have, not " + bytes;
  }
}
