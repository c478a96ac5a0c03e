/** Reads the configuration of envoyproxy/ratelimit into policies. */
@NullMarked
package io.penstock.server.policy.ratelimit;

import org.jspecify.annotations.NullMarked;
