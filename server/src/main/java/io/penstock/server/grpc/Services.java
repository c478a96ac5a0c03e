package io.penstock.server.grpc;

import io.penstock.server.Bounds;

/** Who answers the calls of a connection, within which bounds. Its parts are thread-safe. */
record Services(EnvoyService envoy, Callers callers, Bridge bridge, Bounds bounds) {}
