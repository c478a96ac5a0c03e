package io.penstock.server.http;

import io.penstock.server.node.Node;
import io.penstock.server.ops.Health;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.security.Gatekeeper;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What answers behind HTTP. Its parts are thread-safe.
 *
 * @param metrics all metrics in the text format of Prometheus
 */
public record Backends(
    Node node,
    PolicyStore policies,
    Gatekeeper gatekeeper,
    Health health,
    Supplier<String> metrics,
    InstantSource clock) {}
