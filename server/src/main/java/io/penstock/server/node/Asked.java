package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import org.jspecify.annotations.Nullable;

/**
 * What a check asks about one descriptor. Immutable.
 *
 * @param cost 0 looks, a negative one gives back
 * @param given a limit that comes with the request and takes the place of the policy's; else null
 */
public record Asked(Descriptor descriptor, long cost, @Nullable Limit given) {}
