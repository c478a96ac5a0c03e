package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole server whose data folder is taken away while it runs. */
@Timeout(120)
class FolderAwayTest {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String STRICT = "{\"limits\":[\"10/day\"],\"consistency\":\"strict\"}";
  private static final String FAST = "{\"limits\":[\"10/day\"]}";

  @TempDir Path folder;

  @Test
  void dataFolder_movedAwayAndBack_isToldAndLosesNothing() throws Exception {
    Path data = folder.resolve("data");
    Path elsewhere = folder.resolve("elsewhere");
    try (Server server = started(data)) {
      assertThat(put(server, "s/u", STRICT)).isEqualTo(201);
      assertThat(put(server, "f/u", FAST)).isEqualTo(201);
      assertThat(check(server, "s")).contains("\"durability\":\"strict\"");
      Files.move(data, elsewhere);
      awaitHealth(server, "\"disk\":\"not where it was: put it back, or restart\"");
      assertThat(check(server, "s")).contains("\"allowed\":false", "\"reason\":\"fail-closed\"");
      assertThat(check(server, "f")).contains("\"allowed\":true", "\"durability\":\"memory\"");
      assertThat(put(server, "new/u", FAST)).isEqualTo(503);
      awaitHealth(server, "\"policy-store\":\"policies: the data folder is not where it was");
      assertThat(data).doesNotExist();
      Files.move(elsewhere, data);
      awaitHealth(server, "\"status\":\"ok\"");
      assertThat(check(server, "s")).contains("\"remaining\":8", "\"durability\":\"strict\"");
      assertThat(put(server, "new/u", FAST)).isEqualTo(201);
    }
    try (Server server = started(data)) {
      awaitHealth(server, "\"status\":\"ok\"");
      assertThat(check(server, "s")).contains("\"remaining\":7");
      assertThat(check(server, "f")).contains("\"remaining\":8");
      assertThat(check(server, "new")).contains("\"remaining\":9");
    }
  }

  private static Server started(Path data) throws Exception {
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.DATA, data.toString());
    Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()));
    server.start();
    return server;
  }

  private static void awaitHealth(Server server, String text) throws Exception {
    while (!send(server, "/healthz", "GET", "").body().contains(text)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static int put(Server server, String scope, String policy) throws Exception {
    return send(server, "/v1/policies/" + scope.replace("/", "%2F"), "PUT", policy).statusCode();
  }

  private static String check(Server server, String domain) throws Exception {
    String question = "{\"domain\":\"%s\",\"descriptors\":[[{\"key\":\"u\",\"value\":\"1\"}]]}";
    return send(server, "/v1/check", "POST", question.formatted(domain)).body();
  }

  private static HttpResponse<String> send(Server server, String path, String method, String body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.addresses().url() + path));
    if (method.equals("PUT")) {
      request.header("If-None-Match", "*");
    }
    request
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body));
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
