package io.penstock.server;

import io.penstock.server.node.Node;
import io.penstock.server.ops.Health;
import io.penstock.server.ops.Metrics;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.TlsConfig;
import org.jspecify.annotations.Nullable;

/** What every protocol needs of the server. Its parts are thread-safe. */
record Parts(
    Node node,
    PolicyStore store,
    Gatekeeper gatekeeper,
    @Nullable TlsConfig tls,
    Health health,
    Metrics metrics) {}
