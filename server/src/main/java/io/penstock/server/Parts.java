package io.penstock.server;

import io.penstock.server.ops.Health;
import io.penstock.server.ops.Metrics;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.TlsConfig;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What every protocol needs of the server before anything is loaded. Its parts are thread-safe. */
record Parts(
    Gatekeeper gatekeeper,
    @Nullable TlsConfig tls,
    Health health,
    Metrics metrics,
    InstantSource clock) {}
