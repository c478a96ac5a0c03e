package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two who write the same policy: the slower one is told, and nobody's change is lost. */
class PolicyPutTest {
  private static Server server;

  @TempDir Path folder;

  private final Shell shell = new Shell(PolicyCommand.class);

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    server = Shell.serve(data);
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private int ask(String... arguments) {
    return shell.runAt(server.addresses().url(), arguments);
  }

  /** Lets a request through to the server; somebody else is faster than one that writes. */
  private void relay(HttpExchange exchange, String scope) throws IOException {
    String method = exchange.getRequestMethod();
    if (method.equals("PUT")) {
      Shell another = new Shell(PolicyCommand.class);
      assertThat(another.runAt(server.addresses().url(), "put", scope, "7/s")).isZero();
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
      return shell.runAt("http://127.0.0.1:" + between.getAddress().getPort(), arguments);
    } finally {
      between.stop(0);
    }
  }

  @Test
  void put_anotherReplacedItMeanwhile_isRefusedAndChangesNothing() throws Exception {
    assertThat(ask("put", "race/user", "1/s")).isZero();
    assertThat(askWhileAnotherIsFaster("race/user", "put", "race/user", "2/s")).isEqualTo(3);
    assertThat(shell.err()).startsWith("penstock: 412 ");
    assertThat(ask("get", "race/user")).isZero();
    assertThat(shell.out()).isEqualTo("race/user, version 2\nlimits  7/s\n");
  }

  @Test
  void put_anotherCreatedItMeanwhile_isRefusedAndChangesNothing() throws Exception {
    assertThat(askWhileAnotherIsFaster("first/user", "put", "first/user", "2/s")).isEqualTo(3);
    assertThat(ask("get", "first/user")).isZero();
    assertThat(shell.out()).isEqualTo("first/user, version 1\nlimits  7/s\n");
  }

  @Test
  void put_documentWithItsVersion_replacesThatOneOnly() throws Exception {
    assertThat(ask("put", "file/user", "1/s")).isZero();
    assertThat(ask("get", "file/user", "--json")).isZero();
    Path file = Files.writeString(folder.resolve("policy.json"), shell.out().replace("1/s", "2/s"));
    assertThat(ask("put", "file/user", "@" + file)).isZero();
    assertThat(shell.out()).isEqualTo("replaced file/user, version 2\n");
    assertThat(ask("put", "file/user", "@" + file)).as("version 1 is gone").isEqualTo(3);
    assertThat(shell.err()).startsWith("penstock: 412 ");
    assertThat(ask("put", "file/user", "@" + file, "--if-version", "2")).isZero();
    assertThat(ask("put", "file/other", "@" + file)).isEqualTo(1);
    assertThat(shell.err())
        .isEqualTo("scope: file/user (expected: file/other, as in the command)\n");
  }
}
