package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.core.Check;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Requests to the nodes of a cluster, to one after the other. Thread-safe. */
final class Wire {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Nodes nodes;
  private final AtomicInteger requests = new AtomicInteger();

  Wire(Nodes nodes) {
    this.nodes = nodes;
  }

  private static String text(String value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static JsonNode read(Reply reply) {
    try {
      return JSON.readTree(reply.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(reply.body(), e);
    }
  }

  static String limits(Policy policy) {
    return policy.limits().stream()
        .map(Limit::toString)
        .map(Wire::text)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String keys(List<Check> checks) {
    return checks.stream()
        .map(
            check ->
                "[{\"key\":\"%s\",\"value\":%s}]"
                    .formatted(((RemoteLimiter) check.limiter()).name(), text(check.key())))
        .collect(Collectors.joining(",", "{\"domain\":\"api\",\"descriptors\":[", "]"));
  }

  /** Asks until somebody decides; by its id it is decided once. */
  JsonNode decided(String path, List<Check> checks, String more) {
    long cost = checks.get(0).cost();
    assertThat(checks).as("the wire has one cost for all").allMatch(each -> each.cost() == cost);
    int number = requests.incrementAndGet();
    String body =
        keys(checks) + ",\"cost\":" + cost + ",\"requestId\":\"r" + number + "\"" + more + "}";
    int node = number % Nodes.COUNT;
    return read(Nodes.until(() -> nodes.post(node, path, body), Reply::isDecided));
  }

  /** Whether something is done to what is held. */
  boolean isDone(String path, String body) {
    int node = requests.incrementAndGet() % Nodes.COUNT;
    return Nodes.until(() -> nodes.post(node, path, body), Reply::isSettled).status() == 200;
  }

  /** Does something to keys. */
  void order(String path, List<Check> checks, String more) {
    int node = requests.incrementAndGet() % Nodes.COUNT;
    String body = keys(checks) + more + "}";
    Reply reply = Nodes.until(() -> nodes.post(node, path, body), Reply::isSettled);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
  }

  /** Puts a policy in place of a version, and waits until all nodes have it; the next version. */
  long put(String name, Policy policy, long before) {
    String document =
        "{\"limits\":%s,\"algorithm\":\"%s\",\"failMode\":\"closed\"}"
            .formatted(limits(policy), policy.algorithm().name());
    InForce.put(nodes, "api%2F" + name, document, before);
    return before + 1;
  }
}
