package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.policy.FileDocument;
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
  private final boolean prunes;

  ApplyPlan(List<FileDocument> documents, boolean prunes) {
    for (FileDocument each : documents) {
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

  /** What would be wrong between policies and tiers once all is done. */
  List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    wanted.forEach((id, document) -> check(id, document, problems));
    there.forEach(
        (id, old) -> {
          if (!prunes && !wanted.containsKey(id) && wanted.containsKey(tierOf(old))) {
            check(id, PolicyDocument.parse(id.kind(), old.policy().toString()), problems);
          }
        });
    return problems;
  }

  private static Id tierOf(There old) {
    return new Id(Kind.TIER, old.policy().path("tier").asText());
  }

  private void check(Id id, PolicyDocument document, List<Problem> problems) {
    String name = document.tier();
    if (name == null) {
      return;
    }
    try {
      Id tier = new Id(Kind.TIER, name);
      PolicyDocument known = wanted.get(tier);
      There old = prunes ? null : there.get(tier);
      if (known == null && old != null) {
        known = PolicyDocument.parse(Kind.TIER, old.policy().toString());
      }
      if (known == null) {
        throw document.unknownTier();
      }
      document.terms(known);
    } catch (InvalidPolicyException e) {
      for (Problem each : e.problems()) {
        /* A problem of the file says where in the file it is. */
        String place = wanted.containsKey(id) ? "" : "policy " + id.text() + ": ";
        String field = place + each.field();
        problems.add(new Problem(field, each.value(), each.expected()));
      }
    }
  }
}
