package io.penstock.server.grpc;

import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.core.Limit;
import io.penstock.server.Bounds;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import java.util.ArrayList;
import java.util.List;

/** The check that a request of Envoy asks for. Immutable. */
final class RlsQuestion {
  /** As the protocol's numbers say; the last one is known only to answers, and understood. */
  private static final String[] PERIODS = {"", "s", "min", "hour", "day", "month", "year", "week"};

  private static final String SECOND = "s";

  private final DescriptorReader reader;

  RlsQuestion(Bounds bounds) {
    this.reader = new DescriptorReader(bounds);
  }

  /**
   * Reads a request. Throws {@link IllegalArgumentException} for one that cannot be decided, in the
   * words of envoyproxy/ratelimit where it has some.
   */
  CheckRequest read(RateLimitRequest request, boolean mayRefund) {
    if (request.getDomain().isEmpty()) {
      throw new IllegalArgumentException("rate limit domain must not be empty");
    }
    if (request.getDescriptorsCount() == 0) {
      throw new IllegalArgumentException("rate limit descriptor list must not be empty");
    }
    String domain = reader.domain(request.getDomain());
    List<RateLimitDescriptor> descriptors = request.getDescriptorsList();
    DescriptorReader.size("descriptors", descriptors.size(), reader.bounds().descriptors());
    List<Asked> asked = new ArrayList<>(descriptors.size());
    for (int i = 0; i < descriptors.size(); i++) {
      asked.add(asked(i, descriptors.get(i), request.getHitsAddend()));
    }
    return new CheckRequest(domain, asked, /* requestId= */ null, mayRefund);
  }

  private Asked asked(int index, RateLimitDescriptor descriptor, int requestHits) {
    long hits = hits(descriptor, requestHits);
    long cost = descriptor.getIsNegativeHits() ? -hits : hits;
    if (!descriptor.hasLimit()) {
      return new Asked(reader.envoy(index, descriptor), cost, /* given= */ null);
    }
    RateLimitOverride override = descriptor.getLimit();
    String period = period(index, override.getUnitValue());
    long perUnit = Integer.toUnsignedLong(override.getRequestsPerUnit());
    if (perUnit == 0 && cost > 0) {
      /* No limit is 0; asking for more than there ever is denies in the same way. */
      cost = Math.max(2, cost);
    }
    /* Envoy lets a request pass if its limit is refused. */
    long most = period.equals(SECOND) ? Limit.PER_SECOND_MAX : perUnit;
    Limit given = Limit.parse(Math.max(1, Math.min(most, perUnit)) + "/" + period);
    return new Asked(reader.envoy(index, descriptor), cost, given);
  }

  /** What a descriptor takes: its own hits, else those of the request, of which 0 means 1. */
  private static long hits(RateLimitDescriptor descriptor, int requestHits) {
    if (descriptor.hasHitsAddend()) {
      long own = descriptor.getHitsAddend().getValue();
      return own < 0 ? Long.MAX_VALUE : own;
    }
    return requestHits == 0 ? 1 : Integer.toUnsignedLong(requestHits);
  }

  private static String period(int index, int unit) {
    if (unit < 1 || unit >= PERIODS.length) {
      String choices = "SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, YEAR";
      throw DescriptorReader.bad("descriptors[" + index + "].limit.unit", unit, choices);
    }
    return PERIODS[unit];
  }
}
