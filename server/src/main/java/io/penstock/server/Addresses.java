package io.penstock.server;

import io.penstock.server.config.ServerConfig;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Where a server is to be found, and how it says so. Immutable. */
public record Addresses(ServerConfig config, int httpPort, int grpcPort, int respPort) {
  /** The scope of the policy that an empty server begins with. */
  static final String DEMO_SCOPE = "demo/user";

  /** The ready line, two requests to try, and what the shell must know for them. */
  public List<String> readyLines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "penstock is ready: HTTP %s, gRPC %s, Redis protocol %s%s"
            .formatted(url(), address(grpcPort), address(respPort), sockets()));
    lines.add("try: curl %s%s/v1/check -d '%s'".formatted(options(), url(), question()));
    lines.add("try: curl %s%s/v1/policies".formatted(options(), url()));
    if (config.tls().clientCa() != null) {
      lines.add(
          "with $CERT and $CERT_KEY: the files of a certificate of yours that %s vouches for"
              .formatted(config.tls().clientCa()));
    }
    return List.copyOf(lines);
  }

  private static String question() {
    return "{\"domain\":\"demo\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"42\"}]]}";
  }

  /** The URL of HTTP. */
  public String url() {
    return (config.tls().isOn() ? "https://" : "http://") + address(httpPort);
  }

  private String options() {
    return (config.access().isOpen() ? "" : "-H \"X-API-Key: $KEY\" ")
        + (config.tls().isOn() ? "--cacert " + config.tls().cert() + " " : "")
        + (config.tls().clientCa() == null ? "" : "--cert \"$CERT\" --key \"$CERT_KEY\" ");
  }

  private String sockets() {
    return config.listen().uds() == null
        ? ""
        : ", Unix sockets " + config.listen().uds() + "[.grpc|.resp]";
  }

  /** An address that listens everywhere is told as the one that works from here. */
  private String address(int port) {
    InetAddress host = config.listen().host();
    boolean six = host instanceof Inet6Address;
    String text = host.isAnyLocalAddress() ? (six ? "::1" : "127.0.0.1") : host.getHostAddress();
    return (six ? "[" + text + "]" : text) + ":" + port;
  }
}
