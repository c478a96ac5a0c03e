package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
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
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of gateways that ask by forward-auth, as they are, with other ports. */
class GatewaysIT {
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final int ATTEMPTS = 600;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** 250 ms are promised; on a busy machine they are seconds, without a bound they are more. */
  private static final Duration SOON = Duration.ofSeconds(3);

  /** More than gateways keep in memory. */
  private static final int LARGE_BODY = 50_000;

  @TempDir private Path folder;
  private final AtomicInteger broken = new AtomicInteger();
  private HttpServer application;
  private @Nullable Server penstock;
  private @Nullable Process process;
  private HttpClient client = newClient();
  private int port;

  @BeforeEach
  void startApplication() throws Exception {
    application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    application.createContext("/", GatewaysIT::answerLength);
    application.createContext(
        "/broken",
        exchange -> {
          broken.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          exchange.close();
        });
    application.start();
  }

  private static void answerLength(HttpExchange exchange) throws IOException {
    int length = exchange.getRequestBody().readAllBytes().length;
    byte[] body = (exchange.getRequestMethod() + " " + length).getBytes(UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @AfterEach
  void stop() throws Exception {
    if (process != null) {
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
    application.stop(0);
    if (penstock != null) {
      penstock.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void request_ofUserWithBucket_passesThenIsLimited(Gateway gateway) throws Exception {
    startBeforePenstock(gateway);
    HttpResponse<String> first = post("/", "42", LARGE_BODY);
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("POST " + LARGE_BODY);
    assertThat(field(first, "RateLimit-Policy")).isEqualTo("\"api/user\";q=3;w=60");
    assertThat(field(first, "RateLimit")).startsWith("\"api/user\";r=2;t=");
    assertThat(field(first, "X-RateLimit-Limit")).isEqualTo("3");
    assertThat(field(first, "X-RateLimit-Remaining")).isEqualTo("2");
    assertThat(field(first, "X-RateLimit-Reset")).isNotEmpty();
    assertThat(field(first, "Retry-After")).isEmpty();
    post("/", "42", 0);
    post("/", "42", 0);
    // Without a body: who denies may close before it has read one, and then the client's write
    // fails
    // before it has read the denial.
    HttpResponse<String> denied = post("/", "42", 0);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(field(denied, "Retry-After"))).isBetween(1L, 20L);
    assertThat(field(denied, "RateLimit-Policy")).isEqualTo("\"api/user\";q=3;w=60");
    assertThat(field(denied, "RateLimit")).startsWith("\"api/user\";r=0;t=");
    assertThat(field(denied, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(field(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(denied.body()).contains("#quota-exceeded", "\"status\":429");
    assertThat(post("/", "43", 0).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void request_whilePenstockIsStopped_passes(Gateway gateway) throws Exception {
    Server server = startBeforePenstock(gateway);
    for (int i = 0; i < 3; i++) {
      post("/", "42", 0);
    }
    assertThat(post("/", "42", 0).statusCode()).isEqualTo(429);
    int penstockPort = server.addresses().httpPort();
    server.close();
    for (int i = 0; i < 5; i++) {
      assertPassesUnasked(post("/", "42", LARGE_BODY));
    }
    startPenstock(penstockPort);
    awaitAnswer(gateway, "42", answer -> answer.statusCode() == 429);
  }

  @ParameterizedTest
  @EnumSource
  void request_penstockSilent_passesSoon(Gateway gateway) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      start(gateway, copied(gateway, silent.getLocalPort(), UnaryOperator.identity()));
      awaitAnswer(gateway, "warm", answer -> true);
      long start = System.nanoTime();
      assertPassesUnasked(post("/", "42", LARGE_BODY));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
    }
  }

  @ParameterizedTest
  @EnumSource
  void request_applicationBreaks_isNotRepeated(Gateway gateway) throws Exception {
    startBeforePenstock(gateway);
    // On a connection that served before, HAProxy would say nothing and close it.
    client = newClient();
    assertThat(post("/broken", "42", 1).statusCode()).isEqualTo(502);
    assertThat(broken).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource
  void request_headTooLargeForPenstock_isRefusedOrLimited(Gateway gateway) throws Exception {
    startBeforePenstock(gateway);
    HttpRequest.Builder request = request("/", "42");
    for (int i = 0; i < 4; i++) {
      request.header("X-Large-" + i, "x".repeat(6000));
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    boolean asked = !field(response, "RateLimit").isEmpty();
    assertThat(response.statusCode()).isBetween(asked ? 200 : 400, asked ? 200 : 499);
  }

  /** Whatever Penstock refuses with it, as too long a name of a user, must not pass. */
  @ParameterizedTest
  @EnumSource
  void request_penstockAnswers4xx_isRefused(Gateway gateway) throws Exception {
    application.createContext(
        "/v1/",
        exchange -> {
          exchange.sendResponseHeaders(404, /* responseLength= */ -1);
          exchange.close();
        });
    start(gateway, copied(gateway, application.getAddress().getPort(), GatewaysIT::patient));
    awaitAnswer(gateway, "42", answer -> answer.statusCode() / 100 == 4);
  }

  private static void assertPassesUnasked(HttpResponse<String> response) {
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("POST " + LARGE_BODY);
    assertThat(field(response, "RateLimit")).isEmpty();
  }

  private Server startBeforePenstock(Gateway gateway) throws Exception {
    Server server = startPenstock(/* httpPort= */ 0);
    Path copy = copied(gateway, server.addresses().httpPort(), GatewaysIT::patient);
    start(gateway, copy);
    awaitAnswer(gateway, "warm", answer -> !field(answer, "RateLimit").isEmpty());
    return server;
  }

  private Server startPenstock(int httpPort) throws IOException {
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, Integer.toString(httpPort),
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.DATA, folder.resolve("data").toString(),
            Setting.POLICIES, EXAMPLES.resolve("policies.yaml").toString());
    Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()));
    penstock = server;
    server.start();
    return server;
  }

  /** The example, with ports of this test. */
  private Path copied(Gateway gateway, int penstockPort, UnaryOperator<String> change)
      throws IOException {
    Path copy = Files.createDirectory(folder.resolve(gateway.program()));
    port = freePort();
    try (Stream<Path> files = Files.list(EXAMPLES.resolve(gateway.program()))) {
      for (Path each : files.toList()) {
        String text =
            Files.readString(each)
                .replace("127.0.0.1:8000", "127.0.0.1:" + application.getAddress().getPort())
                .replace("127.0.0.1:8080", "127.0.0.1:" + penstockPort)
                .replace("127.0.0.1:10001", "127.0.0.1:" + freePort())
                .replace(":10000", ":" + port);
        Files.writeString(copy.resolve(each.getFileName()), change.apply(text));
      }
    }
    return copy;
  }

  /** Waits for seconds: where the limit is tested, a slow machine is no failure. */
  private static String patient(String text) {
    return text.replaceAll("\\b\\d+ms\\b", "5s").replace("timeout = 250", "timeout = 5000");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void start(Gateway gateway, Path copy) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(gateway.command())
            .directory(copy.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log(gateway).toFile());
    // Where Caddy keeps what it remembers.
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    builder.environment().put("XDG_DATA_HOME", folder.toString());
    process = builder.start();
  }

  private static Path log(Gateway gateway) {
    return Path.of("target", gateway.program() + ".log");
  }

  private void awaitAnswer(Gateway gateway, String user, Predicate<HttpResponse<String>> isAwaited)
      throws Exception {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      assertThat(process).as("log: %s", log(gateway)).isNotNull().matches(Process::isAlive);
      try {
        if (isAwaited.test(post("/", user, 0))) {
          return;
        }
      } catch (IOException ignored) {
        // It does not listen yet.
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    throw new AssertionError("not that answer; log: " + Files.readString(log(gateway)));
  }

  private static HttpClient newClient() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private HttpResponse<String> post(String path, String user, int length) throws Exception {
    HttpRequest.BodyPublisher body = BodyPublishers.ofByteArray(new byte[length]);
    return client.send(request(path, user).POST(body).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path, String user) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return HttpRequest.newBuilder(uri).header("X-User", user).timeout(PATIENCE);
  }

  private static String field(HttpResponse<?> response, String name) {
    assertThat(response.headers().allValues(name)).as(name).hasSizeLessThan(2);
    return response.headers().firstValue(name).orElse("");
  }
}
