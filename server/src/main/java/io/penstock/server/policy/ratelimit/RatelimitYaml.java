package io.penstock.server.policy.ratelimit;

import io.penstock.core.policy.Scope;
import io.penstock.server.policy.Misread;
import io.penstock.server.policy.Problem;
import java.io.StringReader;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The policies of a configuration of envoyproxy/ratelimit. Immutable once read.
 *
 * <p>A file may hold several documents, each with a domain of its own. What differs from that
 * service is told by {@link #notes} and in {@code docs/ratelimit-yaml.md}.
 */
public final class RatelimitYaml {
  private static final int CHARS_MAX = 64 << 20;

  /** An alias may stand for the same descriptors again and again. */
  private static final int DESCRIPTORS_MAX = 5_000_000;

  private static final int DEPTH_MAX = 100;
  private static final List<String> ROOT_FIELDS = List.of("domain", "descriptors");

  /** What the root of a file begins with, theirs or ours. */
  private static final List<String> TELLING = List.of("domain", "descriptors", "tiers", "policies");

  private final Findings findings = new Findings();
  private final Map<Scope, String> documents = new LinkedHashMap<>();

  /** Scopes of descriptors without a limit, which are let pass there. */
  private final Set<Scope> exempt = new LinkedHashSet<>();

  private final Set<String> domains = new LinkedHashSet<>();
  private int descriptors;

  private RatelimitYaml() {}

  /** Whether a text is meant for that service, right or wrong: the first field that tells says. */
  public static boolean isMeant(String text) {
    try {
      String name = RootNames.first(new Yaml(options()).parse(new StringReader(text)), TELLING);
      return name != null && ROOT_FIELDS.contains(name);
    } catch (YAMLException e) {
      return false;
    }
  }

  /**
   * Reads a file.
   *
   * @throws io.penstock.server.policy.InvalidPolicyException that says everything that is wrong
   */
  public static RatelimitYaml read(String text) {
    RatelimitYaml yaml = new RatelimitYaml();
    if (text.length() > CHARS_MAX) {
      String expected = "at most " + CHARS_MAX + " characters";
      yaml.findings.problem("document", text.length() + " characters", expected);
    } else {
      yaml.roots(text);
    }
    yaml.exemptions();
    yaml.findings.throwProblems();
    return yaml;
  }

  /** The JSON of every policy, by the text of its scope. */
  public Map<String, String> documents() {
    Map<String, String> texts = new LinkedHashMap<>();
    documents.forEach((scope, document) -> texts.put(scope.toString(), document));
    return texts;
  }

  /** What is read but does not mean the same here, each with the first place where it is. */
  public List<String> notes() {
    return findings.notes();
  }

  private void roots(String text) {
    boolean any = false;
    try {
      for (Node root : new Yaml(options()).composeAll(new StringReader(text))) {
        any = true;
        root(root);
      }
    } catch (MarkedYAMLException e) {
      any = true;
      Problem bad = Misread.yaml(text, e);
      findings.problem(bad.field(), bad.value(), bad.expected());
    } catch (YAMLException e) {
      any = true;
      findings.problem(
          "document", "too deep, or too long", "YAML of at most " + DEPTH_MAX + " levels");
    }
    if (!any) {
      findings.problem("document", "nothing", "domain: and descriptors:");
    }
  }

  private static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(CHARS_MAX);
    options.setNestingDepthLimit(DEPTH_MAX);
    return options;
  }

  private void root(Node root) {
    Fields fields = new Fields(root, /* path= */ "", ROOT_FIELDS, findings);
    String domain = fields.text("domain");
    if (domain.isEmpty()) {
      findings.problem(fields.where("domain"), "nothing", "the name of a domain");
    } else if (!domains.add(domain)) {
      findings.problem(fields.where("domain"), domain, "each domain once");
    }
    new Descriptors(domain, this)
        .read(fields, /* path= */ "", new Descriptors.Above(List.of(), List.of()));
  }

  Findings findings() {
    return findings;
  }

  /** Counts a descriptor; false if there are too many. */
  boolean countDescriptor(String where) {
    descriptors++;
    if (descriptors == DESCRIPTORS_MAX + 1) {
      String expected = "at most " + DESCRIPTORS_MAX + " descriptors";
      findings.problem(where, "more", expected);
    }
    return descriptors <= DESCRIPTORS_MAX;
  }

  void add(Scope scope, @Nullable String document) {
    if (document != null) {
      documents.put(scope, document);
    } else {
      exempt.add(scope);
    }
  }

  /**
   * A descriptor without a limit is let pass there, whatever a less specific one says; here it
   * needs a policy of its own where one of those would apply.
   */
  private void exemptions() {
    Map<String, LimitTree> limits = new HashMap<>();
    for (Scope scope : documents.keySet()) {
      limits.computeIfAbsent(scope.domain(), domain -> new LimitTree()).add(scope);
    }
    for (Scope scope : exempt) {
      LimitTree own = limits.get(scope.domain());
      if (own != null && own.hasLess(scope)) {
        documents.put(scope, Rate.unlimited());
      }
    }
  }
}
