package io.penstock.server.grpc;

import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where gRPC listens, and how. Immutable.
 *
 * @param address the TCP address; port 0 takes any free one
 * @param socket the path of a Unix domain socket beside it; null for none
 * @param tls the certificates of the TCP address; null for plain text
 * @param eventLoops threads that serve connections
 */
public record GrpcOptions(
    InetSocketAddress address, @Nullable Path socket, @Nullable SslContext tls, int eventLoops) {}
