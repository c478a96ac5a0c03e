package io.penstock.core.policy;

import io.penstock.core.Limit;
import io.penstock.core.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a policy says once its tier and its defaults are filled in. Immutable.
 *
 * @param policy the limits, how they are counted and the fail mode; null if nothing is counted
 * @param consistency when an answer leaves
 * @param serviceClass what kind of limit this is: {@code abuse}, {@code paid}, {@code free}; may be
 *     empty
 * @param localCap the limit by which the fail mode {@code local} decides; null if none is given
 * @param shadow whether it counts but always allows
 * @param enabled whether it counts at all
 * @param refunds whether every caller may give back
 * @param blocked whether nothing is admitted; then there is no policy
 * @param budgetMillis how long a check waits for whoever decides before the fail mode answers
 * @param share the keys whose values are counted together, where the scope leaves them open
 */
public record Terms(
    @Nullable Policy policy,
    Consistency consistency,
    String serviceClass,
    @Nullable Limit localCap,
    boolean shadow,
    boolean enabled,
    boolean refunds,
    boolean blocked,
    int budgetMillis,
    List<String> share) {

  /** What a check may wait where no policy says otherwise. */
  public static final int BUDGET_MILLIS = 50;

  /** What it may wait under a strict policy, whose answers take longer. */
  public static final int STRICT_BUDGET_MILLIS = 250;

  public Terms {
    share = List.copyOf(share);
  }

  public boolean unlimited() {
    return policy == null && !blocked;
  }
}
