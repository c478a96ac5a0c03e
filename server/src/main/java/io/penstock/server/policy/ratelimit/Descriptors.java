package io.penstock.server.policy.ratelimit;

import io.penstock.core.policy.Glob;
import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/** The descriptors of one domain, read level by level. Confined to the thread that reads. */
final class Descriptors {
  private static final List<String> FIELDS =
      List.of(
          "key",
          "value",
          "rate_limit",
          "descriptors",
          "shadow_mode",
          "quota_mode",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "metadata");

  /**
   * What is above a descriptor. Immutable.
   *
   * @param share the keys of wildcards that share their thresholds
   */
  record Above(List<Level> levels, List<String> share) {
    private Above with(Level level, boolean shares) {
      return new Above(plus(levels, level), shares ? plus(share, level.key()) : share);
    }

    private static <T> List<T> plus(List<T> some, T more) {
      List<T> all = new ArrayList<>(some);
      all.add(more);
      return all;
    }
  }

  private final String domain;
  private final RatelimitYaml yaml;
  private final Findings findings;

  Descriptors(String domain, RatelimitYaml yaml) {
    this.domain = domain;
    this.yaml = yaml;
    this.findings = yaml.findings();
  }

  /** Reads the list {@code descriptors} of a mapping, below some levels. */
  void read(Fields parent, String path, Above above) {
    Set<Level> seen = new HashSet<>();
    List<Glob> wildcards = new ArrayList<>();
    int index = 0;
    for (Node item : parent.items("descriptors")) {
      String inner = (path.isEmpty() ? "" : path + ".") + "descriptors[" + index++ + "]";
      Fields fields = new Fields(item, inner, FIELDS, findings);
      if (!yaml.countDescriptor(fields.where())) {
        return;
      }
      Level level = level(fields);
      if (level == null) {
        continue;
      }
      if (!seen.add(level)) {
        findings.problem(fields.where("key"), level.key(), "each key and value once");
      }
      Glob value = level.value();
      if (value != null && !value.isExact()) {
        order(fields, value, wildcards);
      }
      descriptor(fields, inner, above.with(level, fields.flag("share_threshold")));
    }
  }

  private @Nullable Level level(Fields fields) {
    String key = fields.text("key");
    String value = fields.text("value");
    if (key.isEmpty()) {
      findings.problem(fields.where("key"), "nothing", "a key of at least one character");
      return null;
    }
    if (key.indexOf('*') >= 0) {
      findings.note(fields.where("key"), "a * in a key is an ordinary character here");
    }
    return new Level(key, value.isEmpty() ? null : Glob.of(value.replaceAll("\\*+", "*")));
  }

  /** Of wildcards that match the same value, the first in the file counts there. */
  private void order(Fields fields, Glob value, List<Glob> before) {
    if (before.stream().anyMatch(earlier -> earlier.covers(value))) {
      findings.note(
          fields.where("value"),
          "an earlier wildcard covers this one: there the first counts, here the longest text");
    }
    before.add(value);
  }

  private void descriptor(Fields fields, String path, Above way) {
    List<Level> levels = way.levels();
    Scope scope = scope(fields, levels);
    if (scope == null) {
      return;
    }
    Node rate = fields.node("rate_limit");
    boolean shadow = fields.flag("shadow_mode");
    Glob value = levels.get(levels.size() - 1).value();
    notes(fields, value);
    if (rate != null) {
      String document = Rate.document(rate, path + ".rate_limit", shadow, way.share(), findings);
      if (document != null) {
        yaml.add(scope, document);
      }
    } else {
      yaml.add(scope, /* document= */ null);
    }
    read(fields, path, way);
  }

  /** The scope of some levels; null if something is wrong with it. */
  private @Nullable Scope scope(Fields fields, List<Level> levels) {
    try {
      return Scope.of(domain.isEmpty() ? "?" : domain, levels);
    } catch (IllegalArgumentException e) {
      findings.problem(fields.where(), levels.size() + " levels", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private void notes(Fields fields, @Nullable Glob value) {
    boolean detailed = fields.flag("detailed_metric");
    boolean valued = fields.flag("value_to_metric");
    if (detailed || valued) {
      findings.note(
          fields.where(),
          "detailed_metric and value_to_metric are ignored: no metric is per value");
    }
    if (fields.flag("quota_mode")) {
      findings.note(
          fields.where("quota_mode"), "quota_mode is ignored: the limit denies by itself");
    }
    if (fields.has("metadata")) {
      findings.note(fields.where("metadata"), "metadata is ignored: answers do not carry it");
    }
    if (fields.flag("share_threshold") && (value == null || value.isExact())) {
      findings.problem(fields.where("share_threshold"), "true", "a value with a *");
    }
  }
}
