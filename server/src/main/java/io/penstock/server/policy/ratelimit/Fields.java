package io.penstock.server.policy.ratelimit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The fields of one mapping of a YAML file, by name; what is wrong with them is noted. Confined to
 * the thread that reads.
 */
final class Fields {
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Node node;
  private final String path;
  private final Findings findings;

  /** The fields of a node, which may have these names and no others. */
  Fields(Node node, String path, List<String> known, Findings findings) {
    this.node = node;
    this.path = path;
    this.findings = findings;
    if (!(node instanceof MappingNode mapping)) {
      findings.problem(where(node), shown(node), "a mapping with " + String.join(", ", known));
      return;
    }
    for (NodeTuple tuple : mapping.getValue()) {
      if (!isMerge(tuple)) {
        add(tuple, known);
      }
    }
    mapping.getValue().stream().filter(Fields::isMerge).forEach(this::merge);
  }

  private void add(NodeTuple field, List<String> known) {
    String name = shown(field.getKeyNode());
    if (!known.contains(name)) {
      String expected = "no such field; one of " + String.join(", ", known);
      findings.problem(where(field.getKeyNode()), name, expected);
    } else if (nodes.putIfAbsent(name, field.getValueNode()) != null) {
      findings.problem(where(field.getKeyNode()), name, "each field once");
    }
  }

  private static boolean isMerge(NodeTuple tuple) {
    return tuple.getKeyNode().getTag().equals(Tag.MERGE);
  }

  /** Takes the fields of another mapping that this one does not have: {@code <<: *other}. */
  private void merge(NodeTuple merged) {
    if (merged.getValueNode() instanceof MappingNode other) {
      other
          .getValue()
          .forEach(field -> nodes.putIfAbsent(shown(field.getKeyNode()), field.getValueNode()));
    } else {
      findings.problem(where(merged.getKeyNode()), "<<", "an alias of one mapping");
    }
  }

  /** Where the mapping is. */
  String where() {
    return where(node);
  }

  private String where(Node some) {
    return Findings.where(path.isEmpty() ? "document" : path, some.getStartMark());
  }

  /** Where a field is; the mapping if it is not there. */
  String where(String name) {
    Node value = nodes.get(name);
    String inner = path.isEmpty() ? name : path + "." + name;
    return Findings.where(inner, (value == null ? node : value).getStartMark());
  }

  private static String shown(Node some) {
    if (some instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    return some instanceof MappingNode ? "{…}" : "[…]";
  }

  /** Whether a field is there and holds something. */
  boolean has(String name) {
    Node value = nodes.get(name);
    return value != null && !value.getTag().equals(Tag.NULL);
  }

  @Nullable Node node(String name) {
    return has(name) ? nodes.get(name) : null;
  }

  /** A scalar as it is written; empty if it is not there. */
  String text(String name) {
    Node value = node(name);
    if (value == null || value instanceof ScalarNode) {
      return value == null ? "" : shown(value);
    }
    findings.problem(where(name), shown(value), "a text");
    return "";
  }

  boolean flag(String name) {
    Node value = node(name);
    if (value == null) {
      return false;
    }
    if (!value.getTag().equals(Tag.BOOL)) {
      findings.problem(where(name), shown(value), "true or false");
      return false;
    }
    return List.of("true", "yes", "on").contains(shown(value).toLowerCase(Locale.ROOT));
  }

  /** The elements of a list; none if it is not there. */
  List<Node> items(String name) {
    Node value = node(name);
    if (value == null || value instanceof SequenceNode) {
      return value instanceof SequenceNode list ? list.getValue() : List.of();
    }
    findings.problem(where(name), shown(value), "a list");
    return List.of();
  }
}
