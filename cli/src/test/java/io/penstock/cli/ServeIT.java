package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server as a process of its own: how it starts, ends, and refuses to start. */
class ServeIT {
  private static final Pattern READY =
      Pattern.compile(
          "penstock is ready: HTTP (\\S+), gRPC \\S+:(\\d+), Redis protocol \\S+:(\\d+).*");
  private static final String QUESTION =
      "{\"domain\":\"demo\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"%s\"}]]}";

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();
  private final List<String> javaOptions = new ArrayList<>();

  /** A server that is ready. */
  private record Running(Process process, String url, int respPort, Path log) {
    HttpResponse<String> get(String path) throws Exception {
      return send(HttpRequest.newBuilder(URI.create(url + path)));
    }

    HttpResponse<String> check(String user, String... headers) throws Exception {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url + "/v1/check"))
              .POST(BodyPublishers.ofString(QUESTION.formatted(user)));
      return send(headers.length == 0 ? request : request.headers(headers));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
      return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    String resp(String commands) throws IOException {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), respPort)) {
        socket.getOutputStream().write((commands + "QUIT\r\n").getBytes(StandardCharsets.UTF_8));
        InputStream answers = socket.getInputStream();
        return new String(answers.readAllBytes(), StandardCharsets.UTF_8);
      }
    }

    int end() throws InterruptedException {
      process.destroy();
      assertThat(process.waitFor(15, TimeUnit.SECONDS)).as("ends within 15 s").isTrue();
      return process.exitValue();
    }
  }

  @AfterEach
  void endAll() {
    started.forEach(Process::destroyForcibly);
  }

  private Process begin(Path log, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            System.getProperty("penstock.jar", "penstock.jar"),
            "serve");
    builder.command().addAll(List.of(arguments));
    builder.command().addAll(1, javaOptions);
    builder.environment().keySet().removeIf(name -> name.startsWith("PENSTOCK_"));
    Process process = builder.directory(folder.toFile()).redirectError(log.toFile()).start();
    started.add(process);
    return process;
  }

  @Test
  @Timeout(60)
  void serve_startThatFailsInside_endsWithAMessage() throws Exception {
    javaOptions.add("-XX:MaxDirectMemorySize=1m");
    assertThat(refused("--http-port=0", "--grpc-port=0", "--resp-port=0", "--data=data"))
        .startsWith("1: ")
        .contains("penstock: java.lang.OutOfMemoryError: no direct memory for a table");
  }

  private Running start(String... more) throws IOException {
    return startAt(/* httpPort= */ 0, more);
  }

  private Running startAt(int httpPort, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--http-port=" + httpPort, "--grpc-port=0", "--resp-port=0"));
    arguments.addAll(List.of(more));
    Path log = folder.resolve("log-" + started.size());
    Process process = begin(log, arguments.toArray(String[]::new));
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    Matcher ready = READY.matcher(String.valueOf(line));
    assertThat(ready.matches()).as(line + "\n" + Files.readString(log)).isTrue();
    assertThat(out.readLine()).startsWith("try: curl ").contains(ready.group(1) + "/v1/check");
    assertThat(out.readLine()).startsWith("try: curl ").endsWith("/v1/policies");
    return new Running(process, ready.group(1), Integer.parseInt(ready.group(3)), log);
  }

  private String refused(String... arguments) throws Exception {
    Path log = folder.resolve("refused-" + started.size());
    Process process = begin(log, arguments);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + ": " + out + Files.readString(log);
  }

  @Test
  void serve_endedAndStartedAgain_goesOnWhereItWas() throws Exception {
    Running first = start("--data=data");
    assertThat(first.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(first.check("a").body()).contains("\"remaining\":4", "\"durability\":\"fast\"");
    assertThat(first.resp("CL.THROTTLE k 0 1 86400\r\nCL.THROTTLE k 0 1 86400\r\n"))
        .startsWith("*5\r\n:0\r\n")
        .contains("*5\r\n:1\r\n");
    int port = URI.create(first.url()).getPort();
    assertThat(first.end()).isEqualTo(143);
    assertThat(Files.readString(first.log())).contains("\"message\":\"ended\"");
    assertThat(folder.resolve("data/policies.db")).exists();

    Running second = startAt(port, "--data=data");
    assertThat(second.check("a").body()).contains("\"remaining\":3");
    assertThat(second.resp("CL.THROTTLE k 0 1 86400\r\n")).startsWith("*5\r\n:1\r\n");
    assertThat(second.get("/v1/policies/demo%2Fuser/history").body())
        .contains("\"by\":\"penstock\"");
    assertThat(second.end()).isEqualTo(143);
  }

  @Test
  void serve_killed_losesNothingOfBeforeTheLastMoment() throws Exception {
    Running first = start("--data=data");
    assertThat(first.check("a").body()).contains("\"remaining\":4");
    awaitMetric(first, "penstock_journal_frames_total", "1.0");
    first.process().destroyForcibly().waitFor();
    assertThat(start("--data=data").check("a").body()).contains("\"remaining\":3");
  }

  @Test
  void serve_secretDeleted_startsAndSaysWhatIsLostUntilTheNextStart() throws Exception {
    Running first = start("--data=data");
    assertThat(first.check("a").body()).contains("\"remaining\":4");
    assertThat(first.get("/healthz").body()).contains("\"status\":\"ok\"", "\"data\":\"ok\"");
    first.end();
    Files.delete(folder.resolve("data/secret.bin"));
    Running second = start("--data=data");
    assertThat(second.get("/healthz").body()).contains("\"degraded\"", "secret.bin is missing");
    assertThat(Files.readString(second.log())).contains("data: secret.bin is missing: what keys");
    assertThat(second.check("a").body()).contains("\"remaining\":4");
    second.end();
    assertThat(start("--data=data").get("/healthz").body()).contains("\"status\":\"ok\"");
  }

  private static void awaitMetric(Running server, String name, String value) throws Exception {
    String line = name + " " + value;
    for (int i = 0; i < 1_000; i++) {
      if (server.get("/metrics").body().lines().anyMatch(line::equals)) {
        return;
      }
    }
    throw new AssertionError("never: " + line);
  }

  @Test
  void serve_folderOfAnotherServer_isRefusedByName() throws Exception {
    start("--data=data");
    assertThat(refused("--http-port=0", "--grpc-port=0", "--resp-port=0", "--data=data"))
        .startsWith("1: ")
        .contains("penstock: data: data (expected: a folder no other server uses)");
  }

  @Test
  void serve_folderThatCannotBeWritten_isRefusedByName() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThat(refused("--http-port=0", "--grpc-port=0", "--resp-port=0", "--data=" + file))
        .startsWith("1: ")
        .contains("penstock: data: " + file);
  }

  @Test
  void serve_portInUse_isRefusedByName() throws Exception {
    Running first = start("--data=data");
    int port = URI.create(first.url()).getPort();
    assertThat(refused("--http-port=" + port, "--grpc-port=0", "--resp-port=0", "--data=other"))
        .startsWith("1: ")
        .contains("penstock: http-port: " + port + " (expected: a free port; in use)");
  }

  @Test
  void serve_offLoopback_needsAuthenticationOrInsecure() throws Exception {
    assertThat(refused("--host=0.0.0.0"))
        .startsWith("2: penstock: host: 0.0.0.0 (expected: authentication")
        .contains("--insecure");
    assertThat(start("--host=0.0.0.0", "--insecure").check("a").statusCode()).isEqualTo(200);
  }

  @Test
  void serve_withApiKeys_knowsWhoAsksOnEveryProtocol() throws Exception {
    String key = "a-long-random-key-of-mine";
    Path keys =
        Files.writeString(
            folder.resolve("keys.yaml"),
            "- {name: me, key: %s, roles: {demo: [check]}}\n".formatted(key));
    Running server = start("--api-keys=" + keys, "--log-level=debug");
    assertThat(server.check("a").statusCode()).isEqualTo(401);
    assertThat(server.check("a", "X-API-Key", "wrong").statusCode()).isEqualTo(401);
    assertThat(server.check("a", "X-API-Key", key).statusCode()).isEqualTo(200);
    assertThat(server.check("a", "Authorization", "Bearer " + key).statusCode()).isEqualTo(200);
    assertThat(server.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(server.get("/v1/policies").statusCode()).isEqualTo(401);
    assertThat(server.resp("PENSTOCK.CHECK demo user b\r\n")).startsWith("-NOAUTH");
    assertThat(server.resp("AUTH " + key + "\r\nPENSTOCK.CHECK demo user b\r\n"))
        .startsWith("+OK\r\n*");
    assertThat(server.end()).isEqualTo(143);
    assertThat(Files.readString(server.log())).doesNotContain(key);
  }

  @Test
  void serve_unixSocket_answersThere() throws Exception {
    Path socket = folder.resolve("s");
    Running server = start("--uds=" + socket);
    assertThat(socket).exists();
    assertThat(folder.resolve("s.grpc")).exists();
    assertThat(folder.resolve("s.resp")).exists();
    server.process().destroyForcibly().waitFor();
    assertThat(start("--uds=" + socket).check("a").statusCode()).isEqualTo(200);
  }

  @Test
  void serve_policyFile_isFollowedAndTroubleIsTold() throws Exception {
    Path file = folder.resolve("policies.yaml");
    Files.writeString(file, "policies:\n  file/user: {limits: [7/hour]}\n");
    Running server = start("--policies=" + file);
    assertThat(server.get("/v1/policies").body())
        .contains("file/user", "7/hour")
        .doesNotContain("demo/user");
    Files.writeString(file, "policies:\n  file/user: {limits: [7/x]}\n");
    await(server, "/healthz", "policy-file", "limits[0]");
    Files.writeString(file, "policies:\n  file/user: {limits: [8/hour]}\n");
    await(server, "/v1/policies", "8/hour");
    await(server, "/healthz", "\"status\":\"ok\"");
  }

  private static void await(Running server, String path, String... texts) throws Exception {
    String body = "";
    for (int i = 0; i < 5_000; i++) {
      body = server.get(path).body();
      if (List.of(texts).stream().allMatch(body::contains)) {
        return;
      }
    }
    assertThat(body).contains(texts);
  }

  @Test
  void serve_configFile_isReadAndItsMistakesAreTold() throws Exception {
    Path config = Files.writeString(folder.resolve("c.yaml"), "# nothing but comments\n");
    assertThat(start("--config=" + config).check("a").statusCode()).isEqualTo(200);
    Files.writeString(config, "htp-port: 1\nmemory: much\n");
    assertThat(refused("--config=" + config))
        .startsWith("2: ")
        .contains("penstock: config line 1: htp-port (expected: one of host, ")
        .contains("penstock: memory: much (expected: a size like 64MB)");
  }
}
