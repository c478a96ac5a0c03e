package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a whole server tells everybody about its trouble. */
class HealthzTest {
  private static final int ATTEMPTS = 400;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  @TempDir Path folder;

  @Test
  void healthz_filesThatAreWrongOrGone_saysSoWithoutTheirPaths() throws Exception {
    Path keys = folder.resolve("keys.yaml");
    Path policies = folder.resolve("policies.yaml");
    Files.writeString(keys, "- {name: a, key: 0123456789abcdef, roles: {api: [check]}}\n");
    Files.writeString(policies, "policies: {api/user: {limits: [5/s]}}\n");
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT,
            "0",
            Setting.GRPC_PORT,
            "0",
            Setting.RESP_PORT,
            "0",
            Setting.DATA,
            folder.resolve("data").toString(),
            Setting.API_KEYS,
            keys.toString(),
            Setting.POLICIES,
            policies.toString());
    try (Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()))) {
      server.start();
      Files.writeString(policies, "policies: {api/user: {limits: [5/x]}}\n");
      Files.writeString(keys, "- {name: a}\n");
      told(server, "\"policy-file\":\"policies.api/user.limits[0] (line 1", "keys.yaml");
      Files.delete(policies);
      Files.delete(keys);
      told(
          server, "\"policy-file\":\"policy file: not there", "\"files\":\"[keys.yaml]: not there");
    }
  }

  private void told(Server server, String... texts) throws Exception {
    String body = body(server);
    for (int i = 0; i < ATTEMPTS && !Stream.of(texts).allMatch(body::contains); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      body = body(server);
    }
    assertThat(body).contains(texts).doesNotContain(folder.toString());
  }

  private static String body(Server server) throws Exception {
    URI uri = URI.create(server.addresses().url() + "/healthz");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }
}
