package io.penstock.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set: one name for the flag {@code --http-port}, the variable {@code
 * PENSTOCK_HTTP_PORT} and the key {@code http-port} of the file. No setting is itself a secret:
 * secrets are in files.
 */
public enum Setting {
  HOST("ADDR", "127.0.0.1", "the address to listen on"),
  HTTP_PORT("PORT", "8080", "HTTP; 0 takes a free port, and the ready line tells which"),
  GRPC_PORT("PORT", "8081", "gRPC: Envoy RLS and the own API"),
  RESP_PORT("PORT", "6380", "the Redis protocol"),
  UDS("PATH", null, "Unix sockets too: HTTP on PATH, others on PATH.grpc and PATH.resp"),
  INSECURE("true|false", "false", "serve off loopback without authentication"),
  TRUSTED_PROXIES("CIDR,...", "", "whose X-Forwarded-For counts"),
  NODE("NAME", "n1", "the name of this node, in answers and logs"),
  PEERS("NAME=HOST:PORT,...", null, "the nodes of a cluster, this one too; none for one server"),

  DATA("DIR", "penstock-data", "where policies and counters live; one server per folder"),
  POLICIES("FILE", null, "policies as YAML, read again when the file changes"),
  MEMORY(
      "SIZE", "1GB", "the most memory that counters may take; at least 2MB, and as much per node"),
  DEDUP_WINDOW("TIME", "10min", "how long a request id is remembered, from 1s to 7day"),
  DEDUP_MEMORY("SIZE", "256MB", "the most memory that request ids may take; the oldest go first"),

  TLS_CERT("FILE", null, "certificate chain, PEM; TLS on every port"),
  TLS_KEY("FILE", null, "its private key, PKCS#8 PEM"),
  TLS_CLIENT_CA("FILE", null, "who must sign the certificates that clients must have, PEM"),

  API_KEYS("FILE", null, "API keys and their roles, YAML"),
  JWT_SECRET_FILE("FILE", null, "the secret of HS256 tokens, at least 32 bytes"),
  JWKS("FILE", null, "public keys of RS256 and EdDSA tokens, a JSON Web Key Set"),
  JWT_ISSUER("TEXT", null, "the `iss` that tokens must have"),
  JWT_AUDIENCE("TEXT", null, "the `aud` that tokens must have"),

  MAX_HEAD("SIZE", "16kB", "request line and headers"),
  MAX_BODY("SIZE", "1MB", "a body, a message or a command"),
  MAX_DESCRIPTORS("N", "32", "descriptors of one check, at most 255"),
  MAX_ENTRIES("N", "16", "entries of one descriptor, at most 255"),
  MAX_KEY("SIZE", "1kB", "the key of an entry, at most 32kB"),
  MAX_VALUE(
      "SIZE",
      "8kB",
      "the value of an entry (not of Envoy's), or a key of the Redis protocol; at most 32kB"),
  MAX_REQUEST_ID("SIZE", "256B", "a request id"),
  MAX_BATCH("N", "1000", "checks of one batch"),
  MAX_CONNECTIONS("N", "10000", "open connections, per protocol"),
  MAX_PIPELINED("N", "1000", "requests of one connection that wait for their answers"),
  IDLE_TIMEOUT(
      "TIME",
      "75s",
      "how long a connection may be silent; of the Redis protocol, how long without AUTH"),

  RESET_HEADER("seconds|unix", "seconds", "what X-RateLimit-Reset tells"),
  LOG_FORMAT("auto|text|json", "auto", "auto is text on a terminal, else JSON lines"),
  LOG_LEVEL("error|warning|info|debug", "info", "the least that is logged"),
  TRACES(
      "true|false",
      "false",
      "a span per check, reservation and lease, if an OpenTelemetry agent is there"),
  CLOCK("FILE", null, "for tests: decide by the time in this file, not by the system's");

  private static final String PREFIX = "PENSTOCK_";
  private static final Map<String, Setting> BY_KEY =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Setting::key, each -> each));

  private final String hint;
  private final @Nullable String standard;
  private final String description;

  Setting(String hint, @Nullable String standard, String description) {
    this.hint = hint;
    this.standard = standard;
    this.description = description;
  }

  /** The setting of this name; null if there is none. */
  public static @Nullable Setting byKey(String key) {
    return BY_KEY.get(key);
  }

  /** Its name in the file, and with two dashes as a flag. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Its name in the environment. */
  public String variable() {
    return PREFIX + name();
  }

  /** What kind of value it takes. */
  public String hint() {
    return hint;
  }

  /** Its value when nobody sets it; null if there is none. */
  public @Nullable String standard() {
    return standard;
  }

  public String description() {
    return description;
  }

  /** Whether it is a switch, which needs no value as a flag. */
  public boolean isSwitch() {
    return hint.equals("true|false");
  }
}
