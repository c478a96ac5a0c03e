/** gRPC: the own API, Envoy's rate limit service, health and reflection. */
@NullMarked
package io.penstock.server.grpc;

import org.jspecify.annotations.NullMarked;
