package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.penstock.server.Server;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of Envoy, as it is, with other ports: a real Envoy before a real server. */
class EnvoyIT {
  private static final Path EXAMPLE = Path.of("..", "examples", "envoy");
  private static final int START_ATTEMPTS = 600;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static Server penstock;
  private static HttpServer application;
  private static Process envoy;
  private static int port;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    String command = EnvoyBinary.command();
    penstock = new Server(config(folder));
    penstock.start();
    application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    application.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(UTF_8));
          exchange.close();
        });
    application.start();
    port = freePort();
    String yaml =
        Files.readString(EXAMPLE.resolve("envoy.yaml"))
            .replace("port_value: 10000", "port_value: " + port)
            .replace("port_value: 9901", "port_value: 0")
            .replace("port_value: 8000", "port_value: " + application.getAddress().getPort())
            .replace("port_value: 8081", "port_value: " + penstock.addresses().grpcPort());
    Path file = Files.writeString(folder.resolve("envoy.yaml"), yaml);
    Path log = Path.of("target", "envoy.log");
    envoy =
        new ProcessBuilder(
                command, "-c", file.toString(), "--use-dynamic-base-id", "--concurrency", "1")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    awaitAnswer(log);
  }

  private static ServerConfig config(Path folder) {
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.DATA, folder.resolve("data").toString(),
            Setting.POLICIES, EXAMPLE.resolve("policies.yaml").toString());
    return ServerConfig.read(flags, /* config= */ null, Map.of());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Envoy answers, and has a connection to the service: until then it lets everything pass. */
  private static void awaitAnswer(Path log) throws Exception {
    for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
      assertThat(envoy.isAlive()).as("Envoy, whose log is %s", log).isTrue();
      try {
        if (get("/", "warm-" + attempt).headers().firstValue("ratelimit").isPresent()) {
          return;
        }
      } catch (IOException ignored) {
        // It does not listen yet.
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    throw new AssertionError("Envoy does not limit; its log: " + Files.readString(log));
  }

  @AfterAll
  static void stop() throws Exception {
    if (envoy != null) {
      envoy.destroy();
      if (!envoy.waitFor(10, TimeUnit.SECONDS)) {
        envoy.destroyForcibly();
      }
    }
    if (application != null) {
      application.stop(0);
    }
    if (penstock != null) {
      penstock.close();
    }
  }

  private static HttpResponse<String> get(String path, String user) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("x-user", user).timeout(PATIENCE).build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private static String field(HttpResponse<?> response, String name) {
    assertThat(response.headers().allValues(name)).as(name).hasSizeLessThan(2);
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void request_ofUserWithBucket_passesThenIsLimited() throws Exception {
    HttpResponse<String> first = get("/", "42");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("ok");
    assertThat(field(first, "ratelimit-policy")).isEqualTo("\"api/user\";q=3;w=60");
    assertThat(field(first, "ratelimit")).startsWith("\"api/user\";r=2;t=");
    assertThat(field(first, "x-ratelimit-limit")).isEqualTo("3, 3;w=60");
    assertThat(field(first, "x-ratelimit-remaining")).isEqualTo("2");
    assertThat(field(first, "retry-after")).isEmpty();
    get("/", "42");
    get("/", "42");
    HttpResponse<String> denied = get("/", "42");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "x-envoy-ratelimited")).isEqualTo("true");
    assertThat(Long.parseLong(field(denied, "retry-after"))).isBetween(1L, 20L);
    assertThat(field(denied, "x-ratelimit-remaining")).isEqualTo("0");
    assertThat(get("/", "43").statusCode()).isEqualTo(200);
  }

  @Test
  void request_ofLimitedPath_isLimitedForAllAndCostsUsersNothing() throws Exception {
    assertThat(get("/reports", "a").statusCode()).isEqualTo(200);
    assertThat(get("/reports", "b").statusCode()).isEqualTo(200);
    HttpResponse<String> denied = get("/reports", "c");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "ratelimit-policy")).isEqualTo("\"api/path=/reports\";q=2;w=3600");
    assertThat(field(get("/", "c"), "x-ratelimit-remaining")).isEqualTo("2");
  }
}
