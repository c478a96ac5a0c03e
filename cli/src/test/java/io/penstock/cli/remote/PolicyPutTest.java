package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.server.Server;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two who write the same policy: the slower one is told, and nobody's change is lost. */
class PolicyPutTest {
  private static Server server;

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.DATA, data.resolve("data").toString());
    server = new Server(ServerConfig.read(flags, null, Map.of()));
    server.start();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private int askAt(String url, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new PolicyCommand())
        .setExpandAtFiles(false)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (problem, command, parsed) -> {
              command.getErr().println(problem.getMessage());
              return 1;
            })
        .execute(withServer(url, arguments));
  }

  private static String[] withServer(String url, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", url));
    return all.toArray(String[]::new);
  }

  private int ask(String... arguments) {
    return askAt(server.addresses().url(), arguments);
  }

  /** Lets a request through to the server; somebody else is faster than one that writes. */
  private void relay(HttpExchange exchange, String scope) throws IOException {
    String method = exchange.getRequestMethod();
    if (method.equals("PUT")) {
      new CommandLine(new PolicyCommand())
          .setOut(new PrintWriter(new StringWriter()))
          .execute(withServer(server.addresses().url(), "put", scope, "7/s"));
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.addresses().url() + exchange.getRequestURI()))
            .method(
                method,
                HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : List.of("If-Match", "If-None-Match", "Content-Type")) {
      exchange.getRequestHeaders().getOrDefault(name, List.of()).stream()
          .forEach(value -> request.header(name, value));
    }
    try {
      HttpResponse<byte[]> answer =
          HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      exchange.close();
    }
  }

  private int askWhileAnotherIsFaster(String scope, String... arguments) throws IOException {
    HttpServer between =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    between.createContext("/", exchange -> relay(exchange, scope));
    between.start();
    try {
      return askAt("http://127.0.0.1:" + between.getAddress().getPort(), arguments);
    } finally {
      between.stop(0);
    }
  }

  @Test
  void put_anotherReplacedItMeanwhile_isRefusedAndChangesNothing() throws Exception {
    assertThat(ask("put", "race/user", "1/s")).isZero();
    assertThat(askWhileAnotherIsFaster("race/user", "put", "race/user", "2/s")).isEqualTo(3);
    assertThat(err.toString()).startsWith("penstock: 412 ");
    assertThat(ask("get", "race/user")).isZero();
    assertThat(out.toString()).isEqualTo("race/user, version 2\nlimits  7/s\n");
  }

  @Test
  void put_anotherCreatedItMeanwhile_isRefusedAndChangesNothing() throws Exception {
    assertThat(askWhileAnotherIsFaster("first/user", "put", "first/user", "2/s")).isEqualTo(3);
    assertThat(ask("get", "first/user")).isZero();
    assertThat(out.toString()).isEqualTo("first/user, version 1\nlimits  7/s\n");
  }

  @Test
  void put_documentWithItsVersion_replacesThatOneOnly() throws Exception {
    assertThat(ask("put", "file/user", "1/s")).isZero();
    assertThat(ask("get", "file/user", "--json")).isZero();
    Path file =
        Files.writeString(folder.resolve("policy.json"), out.toString().replace("1/s", "2/s"));
    assertThat(ask("put", "file/user", "@" + file)).isZero();
    assertThat(out.toString()).isEqualTo("replaced file/user, version 2\n");
    assertThat(ask("put", "file/user", "@" + file)).as("version 1 is gone").isEqualTo(3);
    assertThat(err.toString()).startsWith("penstock: 412 ");
    assertThat(ask("put", "file/user", "@" + file, "--if-version", "2")).isZero();
    assertThat(ask("put", "file/other", "@" + file)).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("scope: file/user (expected: file/other, as in the command)\n");
  }
}
