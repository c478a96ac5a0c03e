package io.penstock.server.http;

import io.penstock.server.cluster.Topology;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Health;
import io.penstock.server.ops.Metrics;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.security.Gatekeeper;
import java.time.InstantSource;

/** What answers behind HTTP. Its parts are thread-safe. */
public record Backends(
    Node node,
    PolicyStore policies,
    Topology topology,
    Gatekeeper gatekeeper,
    Health health,
    Metrics metrics,
    InstantSource clock) {}
