package io.penstock.server.policy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes the documents of the file be those it holds now. Confined to one transaction. */
final class FileLoad {
  private static final String BY = "file";

  /** What a document is known by. */
  private record Id(Kind kind, String name) {}

  private final Rows rows;
  private final WriteRules rules;
  private final List<Change> changes = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  FileLoad(Rows rows, WriteRules rules) {
    this.rows = rows;
    this.rules = rules;
  }

  /**
   * Writes what differs and deletes what the file no longer holds.
   *
   * @throws InvalidPolicyException if anything is wrong; the transaction must be rolled back then
   */
  List<Change> apply(List<FileDocument> documents) throws SQLException {
    Set<Id> wanted = new HashSet<>();
    for (FileDocument document : documents) {
      wanted.add(new Id(document.kind(), document.name()));
    }
    /* Tiers come before who refers to them, and go after them. */
    putAll(documents, Kind.TIER);
    putAll(documents, Kind.POLICY);
    deleteOthers(wanted, Kind.POLICY);
    deleteOthers(wanted, Kind.TIER);
    for (FileDocument document : documents) {
      check(document);
    }
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
    return changes;
  }

  private void putAll(List<FileDocument> documents, Kind kind) throws SQLException {
    for (FileDocument document : documents) {
      if (document.kind() == kind) {
        Row live = rows.live(kind, document.name());
        boolean same =
            live != null
                && live.source() == Source.FILE
                && document.document().json().equals(live.change().document());
        if (!same) {
          changes.add(rules.insert(kind, document.name(), document.document(), BY, Source.FILE));
        }
      }
    }
  }

  private void deleteOthers(Set<Id> wanted, Kind kind) throws SQLException {
    for (Row row : rows.ofFile()) {
      Change old = row.change();
      if (old.kind() == kind && !wanted.contains(new Id(kind, old.name()))) {
        try {
          rules.checkNotReferredTo(kind, old.name());
          changes.add(rules.insert(kind, old.name(), /* document= */ null, BY, Source.FILE));
        } catch (ReadOnlyException e) {
          problems.add(new Problem("tiers." + old.name(), "missing", e.getMessage()));
        }
      }
    }
  }

  private void check(FileDocument document) throws SQLException {
    try {
      rules.checkTiers(document.kind(), document.name(), document.document());
    } catch (InvalidPolicyException e) {
      problems.addAll(e.problems());
    }
  }
}
