package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check as every protocol asks it. Immutable.
 *
 * @param requestId names this check, so that its repetition consumes nothing; null if it has none
 * @param mayRefund whether the caller may give back under any policy (role {@code admin})
 */
public record CheckRequest(
    String domain, List<Asked> asked, @Nullable String requestId, boolean mayRefund) {

  public CheckRequest {
    asked = List.copyOf(asked);
  }

  /** A check of one cost for all descriptors. */
  public static CheckRequest of(String domain, List<Descriptor> descriptors, long cost) {
    return new CheckRequest(
        domain,
        descriptors.stream().map(d -> new Asked(d, cost, /* given= */ null)).toList(),
        /* requestId= */ null,
        /* mayRefund= */ true);
  }
}
