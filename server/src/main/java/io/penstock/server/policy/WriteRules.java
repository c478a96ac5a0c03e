package io.penstock.server.policy;

import java.sql.SQLException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may be written: versions that fit, tiers that exist and are not taken away. Confined to one
 * transaction. A write that is refused has written nothing.
 */
final class WriteRules {
  private static final int NAMED_MAX = 10;

  private final Rows rows;
  private final InstantSource clock;
  private long revision;

  WriteRules(Rows rows, InstantSource clock) throws SQLException {
    this.rows = rows;
    this.clock = clock;
    this.revision = rows.revision();
  }

  /** Carries out a write, or throws why not. */
  Change apply(Write write, boolean fileInCharge) throws SQLException {
    Row latest = rows.latest(write.kind, write.name);
    Row live = latest != null && latest.isLive() ? latest : null;
    if (fileInCharge && live != null && live.source() == Source.FILE) {
      throw new ReadOnlyException(
          write.name + ": comes from the policy file (expected: a change of that file)");
    }
    checkVersion(write, live);
    PolicyDocument document = write.document;
    if (document == null) {
      checkNotReferredTo(write.kind, write.name);
    } else {
      checkTiers(write.kind, write.name, document);
    }
    return insert(write.kind, write.name, document, write.by, Source.API);
  }

  private static void checkVersion(Write write, @Nullable Row live) {
    long version = live == null ? 0 : live.change().version();
    boolean fits;
    if (write.expected instanceof Expected.Version expected) {
      fits = live != null && expected.version() == version;
    } else {
      fits = (write.expected instanceof Expected.Absent) == (live == null);
    }
    if (!fits || (live == null && write.document == null)) {
      throw new VersionConflictException(
          write.name
              + ": "
              + (live == null ? "not there" : "version " + version)
              + " (expected: "
              + text(write.expected)
              + ")");
    }
  }

  private static String text(Expected expected) {
    if (expected instanceof Expected.Version version) {
      return "version " + version.version();
    }
    return expected instanceof Expected.Absent ? "not there" : "any version";
  }

  /** The tier of a document, if it refers to one that exists. */
  @Nullable PolicyDocument tierOf(PolicyDocument document) throws SQLException {
    String name = document.tier();
    Row tier = name == null ? null : rows.live(Kind.TIER, name);
    String json = tier == null ? null : tier.change().document();
    if (name != null && json == null) {
      throw document.unknownTier();
    }
    return json == null ? null : PolicyDocument.parse(Kind.TIER, json);
  }

  /** Checks that a document and those it refers to, or that refer to it, fit together. */
  void checkTiers(Kind kind, String name, PolicyDocument document) throws SQLException {
    document.terms(tierOf(document));
    if (kind == Kind.POLICY) {
      return;
    }
    List<Problem> problems = new ArrayList<>();
    rows.forEachOfTier(
        name,
        /* alsoBare= */ false,
        row -> {
          addProblems(row, document, problems);
          return problems.size() < NAMED_MAX;
        });
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
  }

  private static void addProblems(Row row, PolicyDocument tier, List<Problem> problems) {
    String json = row.change().document();
    try {
      if (json != null) {
        PolicyDocument.parse(Kind.POLICY, json).terms(tier);
      }
    } catch (InvalidPolicyException e) {
      for (Problem problem : e.problems()) {
        String field = "policy " + row.change().name() + ": " + problem.field();
        problems.add(new Problem(field, problem.value(), problem.expected()));
      }
    }
  }

  /** Checks that no policy refers to a document that is to go. */
  void checkNotReferredTo(Kind kind, String name) throws SQLException {
    List<String> users = new ArrayList<>();
    if (kind == Kind.TIER) {
      rows.forEachOfTier(
          name,
          /* alsoBare= */ true,
          row -> {
            users.add(row.change().name());
            return users.size() < NAMED_MAX;
          });
    }
    if (!users.isEmpty()) {
      throw new ReadOnlyException(
          name
              + ": the tier of "
              + String.join(", ", users)
              + " (expected: no policy that refers to it)");
    }
  }

  /** Adds a change without further questions. */
  Change insert(Kind kind, String name, @Nullable PolicyDocument document, String by, Source source)
      throws SQLException {
    Change change =
        new Change(
            kind,
            name,
            rows.version(kind, name) + 1,
            ++revision,
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            by,
            document == null ? null : document.json());
    String tier = document == null ? null : document.tier();
    rows.insert(new Row(change, source, tier, document != null && document.isBare()));
    return change;
  }
}
