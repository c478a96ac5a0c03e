package io.penstock.server.policy;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Consistency;
import io.penstock.core.policy.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one layer of a document says: a policy, a tier, or what differs from a tier. Immutable.
 *
 * @param limits null if this layer says nothing of limits
 * @param unlimited whether this layer lifts all limits
 * @param blocked whether this layer admits nothing
 */
record Settings(
    @Nullable List<PlacedLimit> limits,
    boolean unlimited,
    boolean blocked,
    @Nullable Algorithm algorithm,
    @Nullable FailMode failMode,
    @Nullable Consistency consistency,
    @Nullable String serviceClass,
    @Nullable Limit localCap,
    @Nullable Boolean shadow,
    @Nullable Boolean enabled,
    @Nullable Boolean refunds,
    @Nullable Integer budgetMillis,
    @Nullable List<String> share) {

  private static final String ABUSE = "abuse";
  private static final String FREE = "free";

  /** These settings, and where they say nothing, those below. */
  Settings over(Settings below) {
    boolean own = limits != null || unlimited || blocked;
    return new Settings(
        own ? limits : below.limits,
        own ? unlimited : below.unlimited,
        own ? blocked : below.blocked,
        algorithm == null ? below.algorithm : algorithm,
        failMode == null ? below.failMode : failMode,
        consistency == null ? below.consistency : consistency,
        serviceClass == null ? below.serviceClass : serviceClass,
        localCap == null ? below.localCap : localCap,
        shadow == null ? below.shadow : shadow,
        enabled == null ? below.enabled : enabled,
        refunds == null ? below.refunds : refunds,
        budgetMillis == null ? below.budgetMillis : budgetMillis,
        share == null ? below.share : share);
  }

  /** Adds what is wrong with the limits under the algorithm of these settings. */
  void check(List<Problem> problems) {
    if (limits != null) {
      LimitChecks.check(limits, algorithmOrDefault(), problems);
    }
  }

  /** Adds what is wrong with the limits whatever the tier below says of other things. */
  void checkOwn(List<Problem> problems) {
    if (limits != null) {
      LimitChecks.check(limits, algorithm, problems);
    }
  }

  /** These settings with every default filled in; {@link #check} comes first. */
  Terms terms() {
    return new Terms(
        limits == null
            ? null
            : new Policy(
                limits.stream().map(PlacedLimit::limit).toList(),
                algorithmOrDefault(),
                failModeOrDefault()),
        consistencyOrDefault(),
        Objects.requireNonNullElse(serviceClass, ""),
        localCap,
        Boolean.TRUE.equals(shadow),
        !Boolean.FALSE.equals(enabled),
        Boolean.TRUE.equals(refunds),
        blocked,
        budgetMillisOrDefault(),
        Objects.requireNonNullElse(share, List.of()));
  }

  /** What is accepted but should be known. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    boolean strict = consistencyOrDefault() == Consistency.STRICT;
    if (strict && failMode != null && failMode != FailMode.CLOSED) {
      warnings.add(
          "failMode: "
              + Words.of(failMode)
              + " (a strict policy that does not fail closed can admit more than its limits)");
    }
    if (localCap != null && failModeOrDefault() != FailMode.LOCAL) {
      warnings.add(
          "localCap: "
              + localCap
              + " (has no effect with failMode "
              + Words.of(failModeOrDefault())
              + ")");
    }
    return warnings;
  }

  private Algorithm algorithmOrDefault() {
    return algorithm == null ? Algorithm.GCRA : algorithm;
  }

  private Consistency consistencyOrDefault() {
    return consistency == null ? Consistency.FAST : consistency;
  }

  private int budgetMillisOrDefault() {
    if (budgetMillis != null) {
      return budgetMillis;
    }
    boolean strict = consistencyOrDefault() == Consistency.STRICT;
    return strict ? Terms.STRICT_BUDGET_MILLIS : Terms.BUDGET_MILLIS;
  }

  private FailMode failModeOrDefault() {
    if (failMode != null) {
      return failMode;
    }
    if (consistencyOrDefault() == Consistency.STRICT || ABUSE.equals(serviceClass)) {
      return FailMode.CLOSED;
    }
    return FREE.equals(serviceClass) ? FailMode.LOCAL : FailMode.OPEN;
  }
}
