package io.penstock.server.config;

import io.penstock.cluster.Peer;
import io.penstock.server.Bounds;
import io.penstock.server.policy.Problem;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of a server, read and checked. Immutable.
 *
 * @param node the name of this node
 * @param peers the nodes of its cluster; none if it is a server by itself
 * @param clock holds the time by which to decide; null for that of the system
 * @param effective every setting with its value and who gave it, one line each
 */
public record ServerConfig(
    String node,
    List<Peer> peers,
    Listen listen,
    Storage storage,
    Tls tls,
    Access access,
    Bounds bounds,
    Reports reports,
    @Nullable Path clock,
    List<String> effective) {

  /** Where clients find the server. */
  public record Listen(
      InetAddress host,
      int httpPort,
      int grpcPort,
      int respPort,
      @Nullable Path uds,
      List<Network> trustedProxies) {}

  /** What is kept, where, and how much of it. */
  public record Storage(
      Path data,
      @Nullable Path policies,
      long memoryBytes,
      Duration dedupWindow,
      long dedupBytes) {}

  /** The files of TLS; no certificate means no TLS. */
  public record Tls(@Nullable Path cert, @Nullable Path key, @Nullable Path clientCa) {
    public boolean isOn() {
      return cert != null;
    }
  }

  /** Who may ask; no file at all means that authentication is off. */
  public record Access(
      @Nullable Path apiKeys,
      @Nullable Path jwtSecret,
      @Nullable Path jwks,
      @Nullable String issuer,
      @Nullable String audience) {
    public boolean isOpen() {
      return apiKeys == null && jwtSecret == null && jwks == null;
    }
  }

  /** What the server tells about itself. */
  public record Reports(
      LogFormat logFormat, LogLevel logLevel, ResetHeader resetHeader, boolean traces) {}

  /** How a line of the log looks. */
  public enum LogFormat {
    AUTO,
    TEXT,
    JSON
  }

  /** The least that is logged. */
  public enum LogLevel {
    ERROR,
    WARNING,
    INFO,
    DEBUG
  }

  /** What {@code X-RateLimit-Reset} tells. */
  public enum ResetHeader {
    SECONDS,
    UNIX
  }

  /**
   * Reads flags over environment over file over defaults.
   *
   * @throws InvalidConfigException with all problems, if there is any
   */
  public static ServerConfig read(
      Map<Setting, String> flags, @Nullable Path config, Map<String, String> environment) {
    Sources sources = new Sources(flags, config, environment);
    List<Problem> problems = sources.problems();
    Values values = new Values(sources.given(), problems);
    ServerConfig read = Reading.of(values, effective(sources.given()));
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    return read;
  }

  private static List<String> effective(Map<Setting, Given> given) {
    return Arrays.stream(Setting.values())
        .filter(given::containsKey)
        .map(setting -> setting.key() + ": " + told(given.get(setting)))
        .collect(Collectors.toUnmodifiableList());
  }

  private static String told(@Nullable Given given) {
    return given == null ? "" : given.text() + " (" + given.origin() + ")";
  }
}
