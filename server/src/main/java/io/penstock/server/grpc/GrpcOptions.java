package io.penstock.server.grpc;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where gRPC listens, and how. Immutable.
 *
 * @param address the TCP address; port 0 takes any free one
 * @param socket the path of a Unix domain socket beside it; null for none
 * @param credentials the certificates of the TCP address, or none
 * @param eventLoops threads that serve connections
 */
public record GrpcOptions(
    InetSocketAddress address,
    @Nullable Path socket,
    ServerCredentials credentials,
    int eventLoops) {

  /** Plain text on a TCP address. */
  public static GrpcOptions plain(InetSocketAddress address) {
    int cores = Runtime.getRuntime().availableProcessors();
    return new GrpcOptions(address, /* socket= */ null, InsecureServerCredentials.create(), cores);
  }
}
