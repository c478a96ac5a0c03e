package io.penstock.server.http;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a check, or of a request that names keys as a check does. Immutable.
 *
 * @param domain never empty
 * @param descriptors never empty
 * @param cost 1 unless it is given
 * @param requestId null unless it is given
 * @param holdMillis {@code ttlMs} or {@code leaseMs}; {@link #NOT_GIVEN} if neither is there
 * @param limits empty unless they are given
 * @param untilMillis {@link #NOT_GIVEN} unless it is given
 */
record Question(
    String domain,
    List<Descriptor> descriptors,
    long cost,
    @Nullable String requestId,
    long holdMillis,
    List<Limit> limits,
    long untilMillis) {
  static final long NOT_GIVEN = Long.MIN_VALUE;

  CheckRequest toCheck(boolean mayRefund) {
    return new CheckRequest(domain, asked(), requestId, mayRefund);
  }

  private List<Asked> asked() {
    Asked[] asked = new Asked[descriptors.size()];
    for (int i = 0; i < asked.length; i++) {
      asked[i] = new Asked(descriptors.get(i), cost, /* given= */ null);
    }
    return List.of(asked);
  }
}
