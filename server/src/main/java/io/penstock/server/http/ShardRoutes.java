package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import io.penstock.server.cluster.Standing;
import io.penstock.server.cluster.Topology;
import io.penstock.server.node.Heat;
import io.penstock.server.node.KeyRate;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.ShardRate;
import io.penstock.server.node.Signature;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who owns which shard, how much is decided on it, and on which keys. Thread-safe. */
final class ShardRoutes {
  private final Topology topology;
  private final PolicyDesk policies;
  private final Bounds bounds;

  ShardRoutes(Topology topology, PolicyDesk policies, Bounds bounds) {
    this.topology = topology;
    this.policies = policies;
    this.bounds = bounds;
  }

  List<Route> routes() {
    return List.of(
        Route.bare("GET", "/v1/shards", this::shards),
        Route.bare("GET", "/v1/shards/hot", this::hot),
        Route.bare("GET", "/v1/shards/resolve", this::resolve)
            .asking(KeyQuery.DOMAIN, KeyQuery.ENTRY));
  }

  private void shards(Exchange exchange) {
    exchange.require(Role.READ, Caller.EVERY_DOMAIN);
    topology.rates(exchange.asker((back, rates) -> back.json(200, json -> shards(json, rates))));
  }

  private void shards(JsonGenerator json, Map<String, List<ShardRate>> rates) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("shards");
    for (int shard = 0; shard < Signature.SHARDS; shard++) {
      Standing group = topology.shard(shard);
      json.writeStartObject();
      json.writeNumberField("shard", shard);
      json.writeStringField("group", group.group());
      ClusterRoutes.owner(json, group);
      ClusterRoutes.replicas(json, group);
      ShardRate rate = rate(shard, group.leader(), rates);
      json.writeObjectField("rate", rate == null ? null : rate.perSecond());
      json.writeBooleanField("hot", rate != null && rate.hot());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** What the owner of a shard has told; null if it told nothing, or nobody owns it. */
  private static @Nullable ShardRate rate(
      int shard, @Nullable String owner, Map<String, List<ShardRate>> rates) {
    List<ShardRate> told = owner == null ? List.of() : rates.getOrDefault(owner, List.of());
    return told.stream().filter(each -> each.shard() == shard).findFirst().orElse(null);
  }

  private record Told(String owner, KeyRate key) {}

  private void hot(Exchange exchange) {
    exchange.require(Role.READ, Caller.EVERY_DOMAIN);
    topology.keys(exchange.asker((back, keys) -> back.json(200, json -> keys(json, keys))));
  }

  private static void keys(JsonGenerator json, Map<String, List<KeyRate>> keys) throws IOException {
    List<Told> hottest =
        keys.entrySet().stream()
            .flatMap(node -> node.getValue().stream().map(key -> new Told(node.getKey(), key)))
            .sorted(Comparator.comparingLong((Told told) -> told.key.perSecond()).reversed())
            .limit(Heat.KEYS_MAX)
            .toList();
    json.writeStartObject();
    json.writeArrayFieldStart("keys");
    for (Told told : hottest) {
      key(json, told);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void key(JsonGenerator json, Told told) throws IOException {
    json.writeStartObject();
    json.writeStringField("domain", told.key.domain());
    json.writeArrayFieldStart("descriptor");
    for (Entry entry : told.key.descriptor().entries()) {
      json.writeStartObject();
      json.writeStringField("key", entry.key());
      json.writeStringField("value", Utf8.told(entry.value()));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("shard", told.key.shard());
    json.writeStringField("owner", told.owner);
    json.writeNumberField("rate", told.key.perSecond());
    json.writeNumberField("share", told.key.percent() / 100.0);
    json.writeBooleanField("hot", told.key.hot());
    json.writeEndObject();
  }

  private void resolve(Exchange exchange) {
    KeyQuery key = KeyQuery.of(exchange.query(), bounds);
    exchange.require(Role.READ, key.domain());
    int shard = policies.shard(key.domain(), new Descriptor(key.entries()));
    Standing group = topology.shard(shard);
    exchange.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeNumberField("shard", shard);
          ClusterRoutes.owner(json, group);
          json.writeEndObject();
        });
  }
}
