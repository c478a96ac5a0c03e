package io.penstock.server.policy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must be written so that the documents of the file are those it holds now. */
final class FileLoad {
  /** What a document is known by. */
  private record Id(Kind kind, String name) {}

  private final Rows rows;
  private final List<Write> writes = new ArrayList<>();

  private FileLoad(Rows rows) {
    this.rows = rows;
  }

  /** The writes, in an order in which each is right after those before it. */
  static List<Write> writes(Rows rows, FileText text) throws SQLException {
    FileLoad load = new FileLoad(rows);
    if (!text.problems().isEmpty()) {
      throw new InvalidPolicyException(text.problemsBeside(load.tiersBeside(text)::get));
    }
    List<FileDocument> documents = text.documents();
    Set<Id> wanted = new HashSet<>();
    for (FileDocument document : documents) {
      wanted.add(new Id(document.kind(), document.name()));
    }
    /* Tiers come before who refers to them, and go after them. */
    load.putAll(documents, Kind.TIER);
    load.putAll(documents, Kind.POLICY);
    load.deleteOthers(wanted, Kind.POLICY);
    load.deleteOthers(wanted, Kind.TIER);
    return load.writes;
  }

  /** Tiers that the file needs and does not have: those it had before go with it. */
  private Map<String, PolicyDocument> tiersBeside(FileText text) throws SQLException {
    Map<String, PolicyDocument> tiers = new HashMap<>();
    for (String name : text.tiersElsewhere()) {
      Row live = rows.live(Kind.TIER, name);
      String json = live == null ? null : live.change().document();
      if (live != null && json != null && live.source() == Source.API) {
        tiers.put(name, PolicyDocument.parse(Kind.TIER, json));
      }
    }
    return tiers;
  }

  private void putAll(List<FileDocument> documents, Kind kind) throws SQLException {
    for (FileDocument document : documents) {
      Row live = document.kind() == kind ? rows.live(kind, document.name()) : null;
      if (document.kind() == kind && !isAs(live, document)) {
        boolean takesOver = live != null && live.source() == Source.API;
        writes.add(Write.ofFile(kind, document.name(), document.document(), takesOver));
      }
    }
  }

  private static boolean isAs(@Nullable Row live, FileDocument document) {
    return live != null
        && live.source() == Source.FILE
        && document.document().json().equals(live.change().document());
  }

  private void deleteOthers(Set<Id> wanted, Kind kind) throws SQLException {
    for (Row row : rows.ofFile()) {
      Change old = row.change();
      if (old.kind() == kind && !wanted.contains(new Id(kind, old.name()))) {
        writes.add(Write.goneFromFile(kind, old.name()));
      }
    }
  }

  /** Tries the writes, and leaves it to the caller to undo them; says what is wrong. */
  static List<Problem> problems(WriteRules rules, List<Write> writes) throws SQLException {
    List<Problem> problems = new ArrayList<>();
    for (Write write : writes) {
      try {
        rules.apply(write, /* fileInCharge= */ true);
      } catch (InvalidPolicyException e) {
        problems.addAll(e.problems());
      } catch (ReadOnlyException e) {
        String users = String.join(", ", rules.usersOf(write.name));
        String expected = "a tier, as long as policies refer to it: " + users;
        problems.add(new Problem("tiers." + write.name, "missing", expected));
      }
    }
    return problems;
  }
}
