package io.penstock.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which server is asked, and by whom. Confined to one thread. */
final class Connection {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Set<String> SCHEMES = Set.of("http", "https");

  /** The command that is given with this. */
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "URL",
      defaultValue = "${env:PENSTOCK_SERVER:-http://127.0.0.1:8080}",
      description = "The server. Default: $PENSTOCK_SERVER, or http://127.0.0.1:8080.")
  String server;

  @Option(
      names = "--api-key",
      paramLabel = "KEY",
      description = "An API key or token. Better: $PENSTOCK_API_KEY, which others cannot see.")
  @Nullable String apiKey;

  @Mixin Tls tls;

  @Option(names = "--json", description = "Print the server's answer as it is, also if it refuses.")
  boolean json;

  /** Asks the server; a request without body has null. */
  Reply send(String method, String path, @Nullable String body, String... headers)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(PATIENCE)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    String key = apiKey == null ? System.getenv("PENSTOCK_API_KEY") : apiKey;
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    return reply(request.build());
  }

  private URI uri(String path) {
    try {
      URI uri = new URI(server.replaceAll("/+$", "") + path);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getHost() != null && SCHEMES.contains(scheme)) {
        return uri;
      }
    } catch (URISyntaxException odd) {
      // Told below, as any other text that is no such URL.
    }
    throw new ParameterException(
        spec.commandLine(),
        "server: " + server + " (expected: a URL, http://HOST[:PORT] or https://HOST[:PORT])");
  }

  private Reply reply(HttpRequest request) throws IOException {
    SSLContext context = tls.context(spec.commandLine());
    try {
      HttpResponse<String> response =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .sslContext(context)
              .connectTimeout(PATIENCE)
              .build()
              .send(request, BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.body(), tree(response.body()));
    } catch (IOException | IllegalArgumentException unreachable) {
      String expected = "a Penstock server that answers" + Tls.advice(request.uri(), unreachable);
      throw new IOException(
          "server: " + server + " (expected: " + expected + "): " + unreachable, unreachable);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", ended);
    }
  }

  private static JsonNode tree(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException notJson) {
      return JSON.missingNode();
    }
  }

  /** Says why something was not done; the exit status. */
  int refused(Reply reply) throws IOException {
    if (json) {
      spec.commandLine().getOut().println(reply.problem());
    }
    if (!reply.isNo()) {
      throw new IOException(reply.reason());
    }
    spec.commandLine().getErr().println("penstock: " + reply.reason());
    return Reply.NO;
  }

  /** A text as one segment of a path. */
  static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
