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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
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
    try (Server server =
        started(Map.of(Setting.API_KEYS, keys.toString(), Setting.POLICIES, policies.toString()))) {
      Files.writeString(policies, "policies: {api/user: {limits: [5/x]}}\n");
      Files.writeString(keys, "- {name: a}\n");
      told(server, "\"policy-file\":\"policies.api/user.limits[0] (line 1", "keys.yaml");
      Files.delete(policies);
      Files.delete(keys);
      told(
          server, "\"policy-file\":\"policy file: not there", "\"files\":\"[keys.yaml]: not there");
    }
  }

  /** A pipe that nobody writes to is a file that is never read. */
  @Test
  void healthz_policyFileThatTakesLong_isToldAndStopsNoSecrets() throws Exception {
    Path keys = folder.resolve("keys.yaml");
    Path policies = folder.resolve("policies.yaml");
    Path pipe = folder.resolve("pipe");
    Files.writeString(keys, "- {name: a, key: 0123456789abcdef, roles: {api: [check]}}\n");
    Files.writeString(policies, "policies: {api/user: {limits: [5/s]}}\n");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try (Server server =
        started(Map.of(Setting.API_KEYS, keys.toString(), Setting.POLICIES, policies.toString()))) {
      Files.move(pipe, policies, StandardCopyOption.REPLACE_EXISTING);
      told(server, "\"status\":\"ok\"", "\"policy-file\":\"ok; being read since 2");
      Files.writeString(keys, "- {name: a}\n");
      told(server, "\"files\":\"[keys.yaml]: ", "\"policy-file\":\"ok; being read since 2");
      Files.writeString(policies, "");
    }
  }

  /** As what is missing: until the next start, which finds everything in its place. */
  @Test
  void healthz_filesThatWereDamaged_saysSoUntilTheNextStart() throws Exception {
    started(Map.of()).close();
    Path data = folder.resolve("data");
    Files.write(data.resolve("secret.bin"), new byte[100]);
    Files.write(data.resolve("policies.db"), new byte[10_000]);
    try (Server server = started(Map.of())) {
      told(
          server,
          "\"data\":\"secret.bin was damaged: what keys had used",
          "; policies.db was damaged: kept 0 changes, discarded everything");
    }
    try (Server server = started(Map.of())) {
      told(server, "\"data\":\"ok\"");
    }
  }

  @Test
  void healthz_journalThatWasDamaged_saysSoUntilTheNextStart() throws Exception {
    started(Map.of()).close();
    started(Map.of()).close();
    Path data = folder.resolve("data");
    Files.write(data.resolve("journal-1.log"), new byte[100]);
    try (Server server = started(Map.of())) {
      told(
          server,
          "\"status\":\"degraded\"",
          "\"data\":\"journal-1.log was damaged: discarded 100 bytes from offset 0\"");
      assertThat(body(server, "/metrics")).contains("penstock_journal_discarded_bytes 100.0");
      awaitSnapshot(data);
    }
    try (Server server = started(Map.of())) {
      told(server, "\"data\":\"ok\"");
      assertThat(body(server, "/metrics")).contains("penstock_journal_discarded_bytes 0.0");
    }
  }

  /** A write that a kill cuts short loses nothing that was promised. */
  @Test
  void healthz_journalWithATornTail_isOk() throws Exception {
    started(Map.of()).close();
    Path journal = folder.resolve("data").resolve("journal-1.log");
    Files.write(journal, new byte[7], StandardOpenOption.APPEND);
    try (Server server = started(Map.of())) {
      told(server, "\"status\":\"ok\"");
      assertThat(body(server, "/metrics")).contains("penstock_journal_discarded_bytes 7.0");
    }
  }

  @Test
  void healthz_theLeastMemory_isEnough() throws Exception {
    try (Server server = started(Map.of(Setting.MEMORY, "2MB"))) {
      told(server, "\"status\":\"ok\"", "\"phase\":\"ready\"");
    }
  }

  private static void awaitSnapshot(Path data) throws Exception {
    for (int i = 0; i < ATTEMPTS; i++) {
      try (Stream<Path> files = Files.list(data)) {
        if (files.anyMatch(file -> file.getFileName().toString().matches("snapshot-.*bin"))) {
          return;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new AssertionError("no snapshot");
  }

  private Server started(Map<Setting, String> more) throws Exception {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    flags.put(Setting.HTTP_PORT, "0");
    flags.put(Setting.GRPC_PORT, "0");
    flags.put(Setting.RESP_PORT, "0");
    flags.put(Setting.DATA, folder.resolve("data").toString());
    flags.putAll(more);
    Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()));
    server.start();
    return server;
  }

  private void told(Server server, String... texts) throws Exception {
    String body = body(server, "/healthz");
    for (int i = 0; i < ATTEMPTS && !Stream.of(texts).allMatch(body::contains); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      body = body(server, "/healthz");
    }
    assertThat(body).contains(texts).doesNotContain(folder.toString());
  }

  private static String body(Server server, String path) throws Exception {
    URI uri = URI.create(server.addresses().url() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }
}
