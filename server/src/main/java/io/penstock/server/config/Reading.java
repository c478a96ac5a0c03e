package io.penstock.server.config;

import io.penstock.cluster.Peer;
import io.penstock.server.Bounds;
import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.config.ServerConfig.Listen;
import io.penstock.server.config.ServerConfig.LogFormat;
import io.penstock.server.config.ServerConfig.LogLevel;
import io.penstock.server.config.ServerConfig.Reports;
import io.penstock.server.config.ServerConfig.ResetHeader;
import io.penstock.server.config.ServerConfig.Storage;
import io.penstock.server.config.ServerConfig.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Makes the record of texts, and checks what concerns several settings. */
final class Reading {
  private static final int PORT_MAX = 65_535;
  private static final int COUNT_MAX = 1_000_000;

  /** What is held has a byte for how many there are. */
  private static final int HELD_COUNT_MAX = 255;

  /** What is held is at most 64 kB, where each character may take twice as much as in a request. */
  private static final int TEXT_BYTES_MAX = 32 << 10;

  /** A table begins with 1 MB and a bit. */
  private static final long TABLE_BYTES_MIN = 2 << 20;

  private Reading() {}

  static ServerConfig of(Values values, List<String> effective) {
    Listen listen = listen(values);
    Tls tls = tls(values);
    Access access = access(values);
    boolean insecure = values.isOn(Setting.INSECURE);
    if (!listen.host().isLoopbackAddress() && access.isOpen() && !insecure) {
      values.bad(
          Setting.HOST,
          "authentication (--api-keys, --jwt-secret-file or --jwks) on an address that others can"
              + " reach, or --insecure to go without");
    }
    return new ServerConfig(
        values.textOrEmpty(Setting.NODE),
        peers(values, tls),
        listen,
        storage(values),
        tls,
        access,
        bounds(values),
        reports(values),
        values.file(Setting.CLOCK),
        effective);
  }

  private static List<Peer> peers(Values values, Tls tls) {
    String text = values.text(Setting.PEERS);
    if (text == null) {
      return List.of();
    }
    if (values.text(Setting.POLICIES) != null) {
      values.bad(Setting.POLICIES, "none in a cluster; use penstock policy apply -f FILE");
    }
    if (tls.isOn() && tls.clientCa() == null) {
      values.bad(
          Setting.TLS_CLIENT_CA, "a file: nodes of a cluster know each other by certificates");
    }
    try {
      List<Peer> peers = Peer.parseAll(text);
      String node = values.textOrEmpty(Setting.NODE);
      if (peers.stream().noneMatch(peer -> peer.name().equals(node))) {
        values.bad(Setting.NODE, "one of peers: " + text);
      }
      boolean open = !tls.isOn() && !values.isOn(Setting.INSECURE);
      if (open && !peers.stream().allMatch(Peer::isLoopback)) {
        values.bad(
            Setting.PEERS,
            "TLS (--tls-cert, --tls-key, --tls-client-ca) between nodes at addresses that others"
                + " can reach, or --insecure to go without");
      }
      return peers;
    } catch (IllegalArgumentException e) {
      values.bad(Setting.PEERS, String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  private static Listen listen(Values values) {
    int http = values.number(Setting.HTTP_PORT, 0, PORT_MAX);
    int grpc = values.number(Setting.GRPC_PORT, 0, PORT_MAX);
    int resp = values.number(Setting.RESP_PORT, 0, PORT_MAX);
    if (grpc != 0 && grpc == http) {
      values.bad(Setting.GRPC_PORT, "another port than http-port: " + http);
    }
    if (resp != 0 && (resp == http || resp == grpc)) {
      values.bad(Setting.RESP_PORT, "another port than http-port and grpc-port");
    }
    return new Listen(
        values.address(Setting.HOST),
        http,
        grpc,
        resp,
        values.path(Setting.UDS),
        values.networks(Setting.TRUSTED_PROXIES));
  }

  private static Storage storage(Values values) {
    Path data = values.path(Setting.DATA);
    if (data == null) {
      values.bad(Setting.DATA, "a folder");
      data = Path.of("");
    }
    return new Storage(
        data,
        values.file(Setting.POLICIES),
        values.bytes(Setting.MEMORY, tables(values) * TABLE_BYTES_MIN, 256L << 30),
        values.time(Setting.DEDUP_WINDOW, Duration.ofSeconds(1), Duration.ofDays(7)),
        values.bytes(Setting.DEDUP_MEMORY, 1 << 20, 64L << 30));
  }

  /** How many tables share the memory: one for each node of a cluster. */
  private static long tables(Values values) {
    String peers = values.text(Setting.PEERS);
    return peers == null ? 1 : peers.chars().filter(c -> c == ',').count() + 1;
  }

  private static Tls tls(Values values) {
    Path cert = values.file(Setting.TLS_CERT);
    Path key = values.file(Setting.TLS_KEY);
    Path clientCa = values.file(Setting.TLS_CLIENT_CA);
    if ((cert == null) != (key == null)) {
      values.bad(cert == null ? Setting.TLS_CERT : Setting.TLS_KEY, "a file, beside the other one");
    }
    if (clientCa != null && cert == null) {
      values.bad(Setting.TLS_CERT, "a file, because tls-client-ca is set");
    }
    return new Tls(cert, key, clientCa);
  }

  private static Access access(Values values) {
    Access access =
        new Access(
            values.file(Setting.API_KEYS),
            values.file(Setting.JWT_SECRET_FILE),
            values.file(Setting.JWKS),
            values.text(Setting.JWT_ISSUER),
            values.text(Setting.JWT_AUDIENCE));
    if (access.jwtSecret() == null && access.jwks() == null) {
      if (access.issuer() != null) {
        values.bad(Setting.JWT_ISSUER, "nothing, without jwks or jwt-secret-file");
      }
      if (access.audience() != null) {
        values.bad(Setting.JWT_AUDIENCE, "nothing, without jwks or jwt-secret-file");
      }
    }
    return access;
  }

  private static Bounds bounds(Values values) {
    return new Bounds(
        (int) values.bytes(Setting.MAX_HEAD, 1 << 10, 1 << 20),
        (int) values.bytes(Setting.MAX_BODY, 1 << 10, 64 << 20),
        values.number(Setting.MAX_DESCRIPTORS, 1, HELD_COUNT_MAX),
        values.number(Setting.MAX_ENTRIES, 1, HELD_COUNT_MAX),
        (int) values.bytes(Setting.MAX_KEY, 1, TEXT_BYTES_MAX),
        (int) values.bytes(Setting.MAX_VALUE, 1, TEXT_BYTES_MAX),
        (int) values.bytes(Setting.MAX_REQUEST_ID, 1, 4 << 10),
        values.number(Setting.MAX_BATCH, 1, COUNT_MAX),
        values.number(Setting.MAX_CONNECTIONS, 1, COUNT_MAX),
        (int)
            values
                .time(Setting.IDLE_TIMEOUT, Duration.ofSeconds(1), Duration.ofDays(1))
                .toSeconds(),
        values.number(Setting.MAX_PIPELINED, 1, COUNT_MAX));
  }

  private static Reports reports(Values values) {
    return new Reports(
        values.choice(Setting.LOG_FORMAT, LogFormat.values()),
        values.choice(Setting.LOG_LEVEL, LogLevel.values()),
        values.choice(Setting.RESET_HEADER, ResetHeader.values()),
        values.isOn(Setting.TRACES));
  }
}
