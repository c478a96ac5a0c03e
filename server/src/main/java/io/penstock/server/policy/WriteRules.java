package io.penstock.server.policy;

import java.sql.SQLException;
import java.time.Instant;
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
  private final CounterPlan plan;
  private final Instant now;
  private long revision;

  WriteRules(Rows rows, CounterPlan plan, Instant now) throws SQLException {
    this.rows = rows;
    this.plan = plan;
    this.now = now.truncatedTo(ChronoUnit.MILLIS);
    this.revision = rows.revision();
  }

  /** Carries out a write, or throws why not. */
  Change apply(Write write, boolean fileInCharge) throws SQLException {
    Row live = rows.live(write.kind, write.name);
    Expected expected = write.asker.expected();
    if (expected != null) {
      checkWritable(write.name, live, fileInCharge);
      checkVersion(write, live, expected);
    }
    PolicyDocument document = write.document;
    if (document == null) {
      checkNotReferredTo(write.kind, write.name);
    } else {
      checkTiers(write.kind, write.name, document);
    }
    return insert(write);
  }

  private static void checkWritable(String name, @Nullable Row live, boolean fileInCharge) {
    if (fileInCharge && live != null && live.source() == Source.FILE) {
      throw new ReadOnlyException(
          name + ": comes from the policy file (expected: a change of that file)");
    }
  }

  private static void checkVersion(Write write, @Nullable Row live, Expected expected) {
    long version = live == null ? 0 : live.change().version();
    boolean fits;
    if (expected instanceof Expected.Version exactly) {
      fits = live != null && exactly.version() == version;
    } else {
      fits = (expected instanceof Expected.Absent) == (live == null);
    }
    if (!fits || (live == null && write.document == null)) {
      String there = live == null ? "not there" : "version " + version;
      throw new VersionConflictException(
          write.name + ": " + there + " (expected: " + text(expected) + ")");
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
  private void checkTiers(Kind kind, String name, PolicyDocument document) throws SQLException {
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
  private void checkNotReferredTo(Kind kind, String name) throws SQLException {
    List<String> users = kind == Kind.TIER ? usersOf(name) : List.of();
    if (!users.isEmpty()) {
      String all = String.join(", ", users);
      throw new ReadOnlyException(
          name + ": the tier of " + all + " (expected: no policy that refers to it)");
    }
  }

  /** The policies that refer to a tier, the first ones of many. */
  List<String> usersOf(String tier) throws SQLException {
    List<String> users = new ArrayList<>();
    rows.forEachOfTier(
        tier,
        /* alsoBare= */ true,
        row -> {
          users.add(row.change().name());
          return users.size() < NAMED_MAX;
        });
    return users;
  }

  private Change insert(Write write) throws SQLException {
    PolicyDocument document = write.document;
    String json = document == null ? null : document.json();
    Change change =
        new Change(
            write.kind,
            write.name,
            rows.version(write.kind, write.name) + 1,
            revision + 1,
            now,
            write.asker.by(),
            json,
            json == null ? "" : plan.counters(write.kind, write.name, json));
    String tier = document == null ? null : document.tier();
    boolean bare = document != null && document.isBare();
    rows.insert(new Row(change, write.asker.source(), tier, bare));
    revision++;
    return change;
  }
}
