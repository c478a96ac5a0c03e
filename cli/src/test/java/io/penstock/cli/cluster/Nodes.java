package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Packaged servers that are one cluster, each a process of its own. Thread-safe. */
final class Nodes implements AutoCloseable {
  static final int COUNT = 3;

  /** The program of this build. */
  static final Path PROGRAM = Path.of(System.getProperty("penstock.jar", "penstock.jar"));

  private static final int COUNT_MAX = 5;

  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final long READY_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build();
  private final Path folder;
  private final List<Integer> peerPorts = new ArrayList<>();
  private final List<Integer> httpPorts = new ArrayList<>();
  private volatile @Nullable Wires wires;
  private final @Nullable Process[] processes = new Process[COUNT_MAX];
  private final Map<Integer, Map<String, String>> environments = new ConcurrentHashMap<>();
  private final Map<Integer, Path> programs = new ConcurrentHashMap<>();
  private final int founders;

  /** Nodes that reach each other. */
  Nodes(Path folder) {
    this(folder, COUNT);
  }

  /**
   * The same; the first of them found the cluster, the others may be added to it. One is a server
   * by itself.
   */
  Nodes(Path folder, int founders) {
    this.folder = folder;
    this.founders = founders;
    for (int i = 0; i < COUNT_MAX; i++) {
      peerPorts.add(FreePort.find());
      httpPorts.add(FreePort.find());
    }
  }

  /** Lets the nodes reach each other by wires only that can be cut; before the first start. */
  Wires wire() throws IOException {
    Wires made = new Wires(peerPorts);
    wires = made;
    return made;
  }

  static String name(int node) {
    return "n" + (node + 1);
  }

  Path log(int node) {
    return folder.resolve(name(node) + ".log");
  }

  String peer(int node) {
    return name(node) + "=127.0.0.1:" + peerPorts.get(node);
  }

  /** Takes its disk from a node that is down. */
  void wipe(int node) throws IOException {
    Files.move(folder.resolve(name(node)), Files.createTempDirectory(folder, "taken").resolve("d"));
  }

  /** Gives a node variables of its environment, from its next start on. */
  void environment(int node, Map<String, String> variables) {
    environments.put(node, variables);
  }

  /** Gives a node the program of another build, from its next start on. */
  void program(int node, Path jar) {
    programs.put(node, jar);
  }

  Path program(int node) {
    return programs.getOrDefault(node, PROGRAM);
  }

  /** Starts a node; it lives for seconds, so compiling it well would cost more than it saves. */
  synchronized void start(int node) throws IOException {
    List<String> peers = new ArrayList<>();
    for (int i = 0; i < founders; i++) {
      Wires by = wires;
      peers.add(by == null ? peer(i) : name(i) + "=127.0.0.1:" + by.port(node, i));
    }
    if (node >= founders) {
      peers.add(peer(node));
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            program(node).toString(),
            "serve",
            "--node=" + name(node),
            "--http-port=" + httpPorts.get(node),
            "--grpc-port=0",
            "--resp-port=0",
            "--memory=64MB",
            "--data=" + name(node));
    if (founders > 1) {
      builder.command().add("--peers=" + String.join(",", peers));
    }
    builder.environment().keySet().removeIf(variable -> variable.startsWith("PENSTOCK_"));
    builder.environment().putAll(environments.getOrDefault(node, Map.of()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log(node).toFile()));
    processes[node] = builder.directory(folder.toFile()).start();
  }

  void startAll() throws IOException {
    for (int i = 0; i < founders; i++) {
      start(i);
    }
    for (int i = 0; i < founders; i++) {
      awaitReady(i);
    }
  }

  void awaitReady(int node) throws IOException {
    try {
      until(() -> get(node, "/readyz"), reply -> reply.status() == 200);
    } catch (AssertionError e) {
      throw new AssertionError(name(node) + " is not ready:\n" + logs(), e);
    }
  }

  /** Waits until a node says something of its health. */
  void awaitHealth(int node, String text) {
    until(() -> get(node, "/healthz"), reply -> reply.body().contains(text));
  }

  /** Asks until the answer is the one that must come. */
  static Reply until(Supplier<Reply> asking, Predicate<Reply> isExpected) {
    long end = System.nanoTime() + READY_NANOS_MAX;
    Reply reply = asking.get();
    while (!isExpected.test(reply)) {
      assertThat(System.nanoTime()).as(reply.body()).isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
      reply = asking.get();
    }
    return reply;
  }

  /** Waits until some node decides on a key, and says which. */
  int awaitOwner(int asked, String value) {
    return decided(asked, value, /* cost= */ 0, /* requestId= */ null).owner();
  }

  /** Asks until somebody decides: what may be repeated, since a fail mode may hide a decision. */
  Reply decided(int asked, String value, long cost, @Nullable String requestId) {
    return until(() -> check(asked, value, cost, requestId), Reply::isStrict);
  }

  synchronized void kill(int node) throws InterruptedException {
    Process process = process(node);
    process.destroyForcibly();
    process.waitFor();
  }

  /** Ends a node as an operator would; it must end by itself. */
  void end(int node) throws InterruptedException {
    Process process = process(node);
    process.destroy();
    assertThat(process.waitFor(15, TimeUnit.SECONDS)).as(name(node) + " ends").isTrue();
  }

  /** Stops or continues a process where it stands. */
  void signal(int node, String signal) throws IOException, InterruptedException {
    String pid = Long.toString(pid(node));
    assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor()).isZero();
  }

  long pid(int node) {
    return process(node).pid();
  }

  private synchronized Process process(int node) {
    Process process = processes[node];
    if (process == null) {
      throw new IllegalStateException(name(node) + ": never started");
    }
    return process;
  }

  Reply check(int node, String value, long cost, @Nullable String requestId) {
    String id = requestId == null ? "" : ",\"requestId\":\"" + requestId + "\"";
    String body =
        "{\"domain\":\"api\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"%s\"}]],\"cost\":%d%s}"
            .formatted(value, cost, id);
    return post(node, "/v1/check", body);
  }

  Reply post(int node, String path, String body) {
    return send(
        request(node, path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  Reply put(int node, String scope, String policy, String... condition) {
    return send(
        request(node, "/v1/policies/" + scope)
            .headers(condition)
            .PUT(BodyPublishers.ofString(policy)));
  }

  /** Those that live. */
  synchronized List<Integer> running() {
    List<Integer> running = new ArrayList<>();
    for (int i = 0; i < COUNT_MAX; i++) {
      Process process = processes[i];
      if (process != null && process.isAlive()) {
        running.add(i);
      }
    }
    return running;
  }

  Reply get(int node, String path) {
    return send(request(node, path));
  }

  String url(int node) {
    return "http://127.0.0.1:" + httpPorts.get(node);
  }

  private HttpRequest.Builder request(int node, String path) {
    return HttpRequest.newBuilder(URI.create(url(node) + path)).timeout(ANSWER_MAX);
  }

  private Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      return new Reply(response.statusCode(), response.body());
    } catch (IOException e) {
      return new Reply(0, String.valueOf(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply(0, String.valueOf(e));
    }
  }

  private String logs() throws IOException {
    StringBuilder logs = new StringBuilder();
    for (int i = 0; i < founders; i++) {
      logs.append(name(i)).append(":\n").append(Files.readString(log(i)));
    }
    return logs.toString();
  }

  /** What went wrong on any node, as their logs tell it. */
  String errors() throws IOException {
    return logs()
        .lines()
        .filter(line -> line.contains("\"level\":\"error\""))
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    for (Process process : processes) {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }
}
