package io.penstock.cli.remote;

import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.SplittableRandom;

/** What Envoy would ask about random users. Thread-safe. */
final class EnvoyLoad {
  private final String domain;
  private final int keys;
  private final SplittableRandom random;

  EnvoyLoad(String domain, int keys, long seed) {
    this.domain = domain;
    this.keys = keys;
    this.random = new SplittableRandom(seed);
  }

  RateLimitRequest request() {
    RateLimitDescriptor.Entry user =
        RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue(next()).build();
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addDescriptors(RateLimitDescriptor.newBuilder().addEntries(user))
        .build();
  }

  private synchronized String next() {
    return Integer.toString(random.nextInt(keys));
  }
}
