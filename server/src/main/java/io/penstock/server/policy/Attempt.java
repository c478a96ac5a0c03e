package io.penstock.server.policy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes that are carried out in one transaction. None that succeeds is settled before all of it is
 * on disk. Confined to that transaction.
 */
final class Attempt {
  private final WriteRules rules;
  private final boolean fileInCharge;
  private final List<Change> changes = new ArrayList<>();
  private final Map<Write, Written> written = new LinkedHashMap<>();

  Attempt(WriteRules rules, boolean fileInCharge) {
    this.rules = rules;
    this.fileInCharge = fileInCharge;
  }

  /** Carries out a write, or refuses it. */
  void carryOut(Write write) throws SQLException {
    try {
      Change change = rules.apply(write, fileInCharge);
      PolicyDocument document = write.document;
      List<String> warnings =
          document == null ? List.of() : document.warnings(rules.tierOf(document));
      changes.add(change);
      written.put(write, new Written(change.version(), warnings));
    } catch (InvalidPolicyException | VersionConflictException | ReadOnlyException e) {
      write.refuse(e);
    }
  }

  /** What has changed, in order. */
  List<Change> changes() {
    return changes;
  }

  /** Tells the writers that it is on disk. */
  void settle() {
    written.forEach(Write::done);
  }
}
