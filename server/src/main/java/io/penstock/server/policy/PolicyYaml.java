package io.penstock.server.policy;

import io.penstock.core.policy.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a policy file: {@code tiers} and {@code policies}, by name or as lists whose elements say
 * their {@code name} or {@code scope}. Collects every problem. Confined to the thread that reads.
 */
final class PolicyYaml {
  private final List<FileDocument> documents = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> wrongTiers = new HashSet<>();
  private final Set<String> seen = new HashSet<>();

  private PolicyYaml() {}

  /** The documents of a file; none if it holds only comments. */
  static FileText read(String text) {
    Tree tree = TreeReader.yaml(text);
    PolicyYaml reader = new PolicyYaml();
    if (tree instanceof Tree.Fields object) {
      object.fields().forEach(reader::section);
    } else if (tree != null && !isNothing(tree)) {
      reader.problems.add(tree.problem("tiers: and policies:"));
    }
    return new FileText(reader.documents, reader.wrongTiers, reader.problems);
  }

  private void section(Tree.Field section) {
    Kind kind = kind(section.name());
    Tree value = section.value();
    if (kind == null) {
      problems.add(value.problem("no such field; one of tiers, policies"));
    } else if (!seen.add(section.name())) {
      problems.add(value.problem("each field once"));
    } else if (value instanceof Tree.Fields named) {
      named.fields().forEach(field -> document(kind, field.name(), field.value()));
    } else if (value instanceof Tree.Items list) {
      list.items().forEach(item -> item(kind, item));
    } else if (!isNothing(value)) {
      problems.add(value.problem("documents by name, or a list of them"));
    }
  }

  /** Whether there is no more than the name of a field, or {@code null}. */
  private static boolean isNothing(Tree value) {
    return value instanceof Tree.Scalar scalar
        && (scalar.type() == Tree.Type.NULL || scalar.text().isEmpty());
  }

  private static @Nullable Kind kind(String section) {
    return switch (section) {
      case "tiers" -> Kind.TIER;
      case "policies" -> Kind.POLICY;
      default -> null;
    };
  }

  private void item(Kind kind, Tree item) {
    String key = kind == Kind.TIER ? "name" : "scope";
    List<Tree.Field> rest = new ArrayList<>();
    Tree name = null;
    if (item instanceof Tree.Fields object) {
      for (Tree.Field field : object.fields()) {
        if (name == null && field.name().equals(key)) {
          name = field.value();
        } else {
          rest.add(field);
        }
      }
    }
    if (name instanceof Tree.Scalar text && text.type() == Tree.Type.TEXT) {
      document(kind, text.text(), new Tree.Fields(item.where(), rest));
    } else {
      problems.add((name == null ? item : name).problem("a document with its " + key));
    }
  }

  private void document(Kind kind, String name, Tree tree) {
    int before = problems.size();
    read(kind, name, tree);
    if (kind == Kind.TIER && problems.size() > before) {
      wrongTiers.add(name);
    }
  }

  private void read(Kind kind, String name, Tree tree) {
    Problem named = DocumentName.problemOfNew(kind, name);
    if (named != null) {
      problems.add(new Problem(tree.where(), name, named.expected()));
    }
    if (!seen.add(kind + " " + name)) {
      problems.add(new Problem(tree.where(), name, "each document once"));
    }
    try {
      Scope scope = kind == Kind.TIER || named != null ? null : Scope.parse(name);
      String json = TreeText.json(tree);
      PolicyDocument document = PolicyDocument.readNew(kind, tree, json, scope, problems);
      documents.add(new FileDocument(kind, name, document));
    } catch (InvalidPolicyException e) {
      problems.addAll(e.problems());
    }
  }
}
