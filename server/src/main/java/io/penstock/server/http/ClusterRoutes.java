package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.server.Bounds;
import io.penstock.server.cluster.NodeState;
import io.penstock.server.cluster.Standing;
import io.penstock.server.cluster.Topology;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** How the nodes are, and orders to them; a single server is told in the same way. */
final class ClusterRoutes {
  private final Topology topology;
  private final Bounds bounds;

  ClusterRoutes(Topology topology, Bounds bounds) {
    this.topology = topology;
    this.bounds = bounds;
  }

  List<Route> routes() {
    return List.of(
        Route.bare("GET", "/v1/cluster", this::cluster),
        Route.json("POST", "/v1/cluster/drain", this::drain),
        Route.json("POST", "/v1/cluster/move", this::move),
        Route.json("POST", "/v1/cluster/add", this::add),
        Route.json("POST", "/v1/cluster/remove", this::remove));
  }

  static void owner(JsonGenerator json, Standing group) throws IOException {
    json.writeStringField("owner", group.leader());
    json.writeNumberField("epoch", group.term());
  }

  static void replicas(JsonGenerator json, Standing group) throws IOException {
    json.writeArrayFieldStart("replicas");
    for (String node : group.replicas()) {
      json.writeString(node);
    }
    json.writeEndArray();
  }

  private void cluster(Exchange exchange) {
    exchange.require(Role.READ, Caller.EVERY_DOMAIN);
    topology.nodes(exchange.asker((back, nodes) -> back.json(200, json -> cluster(json, nodes))));
  }

  private void cluster(JsonGenerator json, List<NodeState> nodes) throws IOException {
    json.writeStartObject();
    json.writeStringField("node", topology.node());
    json.writeStringField("cluster", topology.cluster());
    json.writeArrayFieldStart("groups");
    for (Standing group : topology.groups()) {
      json.writeStartObject();
      json.writeStringField("group", group.group());
      json.writeStringField("leader", group.leader());
      progress(json, group);
      replicas(json, group);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("nodes");
    for (NodeState node : nodes) {
      node(json, node);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void progress(JsonGenerator json, Standing group) throws IOException {
    json.writeNumberField("term", group.term());
    json.writeNumberField("appliedIndex", group.appliedIndex());
  }

  private static void node(JsonGenerator json, NodeState state) throws IOException {
    json.writeStartObject();
    json.writeStringField("node", state.node());
    json.writeBooleanField("reachable", state.reachable());
    if (state.reachable()) {
      json.writeBooleanField("draining", state.draining());
      json.writeObjectField("clockOffsetMs", state.clockOffsetMillis());
    }
    json.writeArrayFieldStart("groups");
    for (Standing group : state.groups()) {
      json.writeStartObject();
      json.writeStringField("group", group.group());
      json.writeStringField("role", group.role(state.node()).name().toLowerCase(Locale.ROOT));
      progress(json, group);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void drain(Exchange exchange) {
    exchange.require(Role.ADMIN, Caller.EVERY_DOMAIN);
    String node = name(exchange.body());
    topology.drain(node, exchange.asker(ClusterRoutes::drained));
  }

  private String name(byte[] body) {
    try (JsonInput in = JsonInput.of(body)) {
      in.beginObject();
      String node = null;
      for (String name = in.nextField(); name != null; name = in.nextField()) {
        if (!name.equals("node") || node != null) {
          throw in.refusal("unknown field, or given twice", "only node, once");
        }
        node = in.text(1, bounds.keyLength());
      }
      if (node == null) {
        throw in.missing("node", "the name of a node");
      }
      in.end();
      return node;
    }
  }

  private void move(Exchange exchange) {
    exchange.require(Role.ADMIN, Caller.EVERY_DOMAIN);
    Move move = Move.read(exchange.body(), bounds);
    topology.move(
        move.shard(),
        move.node(),
        exchange.asker((back, group) -> moved(back, move.shard(), group)));
  }

  private static void moved(Exchange exchange, int shard, Standing group) {
    exchange.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeNumberField("shard", shard);
          json.writeStringField("group", group.group());
          owner(json, group);
          json.writeEndObject();
        });
  }

  private static void drained(Exchange exchange, NodeState state) {
    exchange.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeStringField("node", state.node());
          json.writeBooleanField("draining", state.draining());
          json.writeArrayFieldStart("leads");
          for (String group : state.leads()) {
            json.writeString(group);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private void add(Exchange exchange) {
    exchange.require(Role.ADMIN, Caller.EVERY_DOMAIN);
    topology.add(name(exchange.body()), exchange.asker(ClusterRoutes::members));
  }

  private void remove(Exchange exchange) {
    exchange.require(Role.ADMIN, Caller.EVERY_DOMAIN);
    topology.remove(name(exchange.body()), exchange.asker(ClusterRoutes::members));
  }

  private static void members(Exchange exchange, List<String> nodes) {
    exchange.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("nodes");
          for (String node : nodes) {
            json.writeString(node);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }
}
