package io.penstock.server.http;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.Bounds;
import io.penstock.server.cluster.Alone;
import io.penstock.server.config.Network;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Heat;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Health;
import io.penstock.server.ops.Metrics;
import io.penstock.server.policy.Expected;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.TlsConfig;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A started front with a real node and a real store behind it, on a clock of its own. */
final class Rig implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  final ManualClock clock = new ManualClock();
  final Health health = new Health("n1");
  final PolicyStore store;
  private final Shard shard;
  final HttpFront front;
  private final HttpSettings settings;
  private final Backends backends;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Rig(Path folder) throws IOException {
    this(folder, Gatekeeper.open(), settings(Bounds.defaults(), List.of(), /* uds= */ null));
  }

  Rig(Path folder, Gatekeeper gatekeeper, HttpSettings settings) throws IOException {
    this(folder, gatekeeper, settings, UnaryOperator.identity(), /* traced= */ false);
  }

  /** One that tells the agent of this process a span for whatever is asked. */
  static Rig traced(Path folder) throws IOException {
    HttpSettings settings = settings(Bounds.defaults(), List.of(), /* uds= */ null);
    UnaryOperator<Node> same = UnaryOperator.identity();
    return new Rig(folder, Gatekeeper.open(), settings, same, /* traced= */ true);
  }

  /** One whose node is another that stands before its own. */
  static Rig behind(Path folder, UnaryOperator<Node> before) throws IOException {
    HttpSettings settings = settings(Bounds.defaults(), List.of(), /* uds= */ null);
    return new Rig(folder, Gatekeeper.open(), settings, before, /* traced= */ false);
  }

  private Rig(
      Path folder,
      Gatekeeper gatekeeper,
      HttpSettings settings,
      UnaryOperator<Node> before,
      boolean traced)
      throws IOException {
    InstantSource instants = () -> Instant.ofEpochSecond(0, clock.nanos());
    this.shard = Shard.open(ShardOptions.of(folder.resolve("shard"), clock, 16 << 20));
    Node node = before.apply(new LocalNode("n1", shard, new Node.Secret(1, 2)));
    this.store = PolicyStore.open(folder.resolve("policies.db"), instants);
    store.planBy(node.policies()::counters);
    store.onChange(node.policies()::apply);
    Metrics metrics = new Metrics(clock::nanos, traced);
    health.enter(Health.Phase.READY);
    this.settings = settings;
    this.backends =
        new Backends(
            node,
            store,
            new Alone("n1", node.policies().heat()),
            gatekeeper,
            health,
            metrics,
            instants);
    this.front = HttpFront.start(settings, backends);
  }

  /** How much its node decides. */
  Heat heat() {
    return backends.node().policies().heat();
  }

  /** What its front tells of itself. */
  Metrics metrics() {
    return backends.metrics();
  }

  /** Every route of the front. */
  List<Route> routes() {
    try (Workrooms workrooms = Workrooms.open()) {
      return HttpFront.routes(
          settings,
          backends,
          workrooms,
          backends.metrics().decisions("http"),
          requireNonNull(front.checks()));
    }
  }

  static HttpSettings settings(Bounds bounds, List<String> proxies, @Nullable Path uds) {
    return new HttpSettings(
        "127.0.0.1",
        /* port= */ 0,
        uds,
        /* tls= */ null,
        /* loops= */ 2,
        bounds,
        proxies.stream().map(Network::parse).toList(),
        /* resetIsUnixTime= */ false);
  }

  /** The usual ones, with room for so many connections, closed after so long. */
  static Bounds bounds(int connections, int idleSeconds) {
    Bounds usual = Bounds.defaults();
    return new Bounds(
        usual.headBytes(),
        usual.bodyBytes(),
        usual.descriptors(),
        usual.entries(),
        usual.keyLength(),
        usual.valueLength(),
        usual.requestIdLength(),
        usual.checks(),
        connections,
        idleSeconds,
        usual.pipelined());
  }

  /** The usual ones, over TLS. */
  static HttpSettings settings(TlsConfig tls) {
    HttpSettings usual = settings(Bounds.defaults(), List.of(), /* uds= */ null);
    return new HttpSettings(
        usual.host(),
        usual.port(),
        /* uds= */ null,
        tls,
        usual.loops(),
        usual.bounds(),
        usual.trustedProxies(),
        usual.resetIsUnixTime());
  }

  Rig policy(String scope, String document) {
    store.put(Kind.POLICY, scope, document, new Expected.Absent(), "test");
    return this;
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front.port() + path))
        .timeout(Duration.ofSeconds(30));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, String... headers) throws Exception {
    return send(with(request(path), headers));
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    return send(with(request(path).POST(BodyPublishers.ofString(body)), headers));
  }

  HttpResponse<String> put(String path, String body, String... headers) throws Exception {
    return send(with(request(path).PUT(BodyPublishers.ofString(body)), headers));
  }

  HttpResponse<String> delete(String path, String... headers) throws Exception {
    return send(with(request(path).DELETE(), headers));
  }

  /** The answer to a check of one entry. */
  JsonNode check(String key, String value, long cost) throws Exception {
    return json(post("/v1/check", body("api", key, value, cost)));
  }

  /** Waits until so much of 100 is used by a key of one entry whose policy keeps nothing. */
  void awaitUsed(String key, String value, long used) {
    CheckRequest look = CheckRequest.of("api", List.of(Descriptor.of(key, value)), /* cost= */ 0);
    AtomicLong remaining = new AtomicLong(100);
    while (remaining.get() > 100 - used) {
      backends
          .node()
          .check(
              look,
              Asker.of(
                  answer -> remaining.set(answer.remaining()),
                  cause -> {
                    throw cause;
                  }));
    }
  }

  /** Lets nothing become durable until the latch is counted down. */
  CountDownLatch holdDisk() throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    long generation = shard.enter();
    shard.leave(generation);
    shard.whenDurable(
        generation,
        durable -> {
          held.countDown();
          try {
            free.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    held.await();
    return free;
  }

  static String body(String domain, String key, String value, long cost) {
    return "{\"domain\":\"%s\",\"descriptors\":[[{\"key\":\"%s\",\"value\":\"%s\"}]],\"cost\":%d}"
        .formatted(domain, key, value, cost);
  }

  static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  private static HttpRequest.Builder with(HttpRequest.Builder request, String... headers) {
    return headers.length == 0 ? request : request.headers(headers);
  }

  @Override
  public void close() throws IOException {
    front.close();
    store.close();
    shard.close();
  }
}
