package io.penstock.server.grpc;

import io.penstock.server.cluster.Topology;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Metrics;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.security.Gatekeeper;

/** What answers behind gRPC. Its parts are thread-safe. */
public record GrpcBackends(
    Node node, PolicyStore policies, Topology topology, Gatekeeper gatekeeper, Metrics metrics) {}
