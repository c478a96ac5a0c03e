package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.policy.FileDocument;
import io.penstock.server.policy.FileText;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyDocument;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must change on a server so that it holds the documents of a file. Confined to one thread.
 */
final class ApplyPlan {
  /** What a document is known by. */
  private record Id(Kind kind, String name) {
    /** As on a command line. */
    String text() {
      return kind == Kind.TIER ? PolicyCommand.TIER + name : name;
    }
  }

  /** A document as the server has it. */
  private record There(long version, JsonNode policy) {}

  /**
   * One change. Immutable.
   *
   * @param name as on a command line
   * @param version the one that is there; 0 if there is none
   * @param document null to delete it
   */
  record Step(String name, long version, JsonNode before, @Nullable String document) {
    /** What it does, in one line. */
    String text(JsonNode after) {
      if (document == null) {
        return "- " + name + "  " + PolicyText.line(before);
      }
      if (version == 0) {
        return "+ " + name + "  " + PolicyText.line(after);
      }
      List<String> changes = new ArrayList<>();
      for (String[] row : PolicyText.differences(before, after)) {
        changes.add(row[0] + " " + row[1] + " -> " + row[2]);
      }
      return "~ " + name + "  " + String.join(", ", changes);
    }
  }

  private final Map<Id, PolicyDocument> wanted = new LinkedHashMap<>();
  private final Map<Id, There> there = new LinkedHashMap<>();
  private final FileText text;
  private final boolean prunes;

  ApplyPlan(FileText text, boolean prunes) {
    this.text = text;
    for (FileDocument each : text.documents()) {
      wanted.put(new Id(each.kind(), each.name()), each.document());
    }
    this.prunes = prunes;
  }

  /** Notes a document that the server has. */
  void found(Kind kind, JsonNode document) {
    there.put(
        new Id(kind, Pages.name(kind, document)),
        new There(document.path("version").asLong(), document.path("policy")));
  }

  /** The changes, in an order in which each is right after those before it. */
  List<Step> steps() throws IOException {
    List<Step> steps = new ArrayList<>();
    /* Tiers come before who refers to them, and go after them. */
    addPuts(Kind.TIER, steps);
    addPuts(Kind.POLICY, steps);
    addDeletes(Kind.POLICY, steps);
    addDeletes(Kind.TIER, steps);
    return steps;
  }

  private void addPuts(Kind kind, List<Step> steps) throws IOException {
    for (Map.Entry<Id, PolicyDocument> each : wanted.entrySet()) {
      Id id = each.getKey();
      String json = each.getValue().json();
      There old = there.get(id);
      boolean same = old != null && old.policy().equals(Connection.JSON.readTree(json));
      if (id.kind() == kind && !same) {
        long version = old == null ? 0 : old.version();
        JsonNode before = old == null ? Connection.JSON.missingNode() : old.policy();
        steps.add(new Step(id.text(), version, before, json));
      }
    }
  }

  private void addDeletes(Kind kind, List<Step> steps) {
    there.forEach(
        (id, old) -> {
          if (prunes && id.kind() == kind && !wanted.containsKey(id)) {
            steps.add(new Step(id.text(), old.version(), old.policy(), /* document= */ null));
          }
        });
  }

  /** How many documents of the server the file does not have. */
  long others() {
    return there.keySet().stream().filter(id -> !wanted.containsKey(id)).count();
  }

  /** How many documents the file has. */
  int size() {
    return wanted.size();
  }

  /** What is wrong with the file, and would be between policies and tiers once all is done. */
  List<Problem> problems() {
    List<Problem> problems = new ArrayList<>(text.problemsBeside(this::tierBeside));
    there.forEach(
        (id, old) -> {
          PolicyDocument tier = wanted.get(tierOf(old));
          if (!prunes && !wanted.containsKey(id) && tier != null) {
            check(id, old, tier, problems);
          }
        });
    return problems;
  }

  private static Id tierOf(There old) {
    return new Id(Kind.TIER, old.policy().path("tier").asText());
  }

  /** A tier of the server that will still be there. */
  private @Nullable PolicyDocument tierBeside(String name) {
    There old = prunes ? null : there.get(new Id(Kind.TIER, name));
    return old == null ? null : PolicyDocument.parse(Kind.TIER, old.policy().toString());
  }

  private void check(Id id, There old, PolicyDocument tier, List<Problem> problems) {
    if (text.wrongTiers().contains(tierOf(old).name())) {
      return;
    }
    try {
      PolicyDocument.parse(id.kind(), old.policy().toString()).terms(tier);
    } catch (InvalidPolicyException e) {
      for (Problem each : e.problems()) {
        String field = "policy " + id.text() + ": " + each.field();
        problems.add(new Problem(field, each.value(), each.expected()));
      }
    }
  }
}
