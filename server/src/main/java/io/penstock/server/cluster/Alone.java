package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.Heat;
import io.penstock.server.node.KeyRate;
import io.penstock.server.node.ShardRate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A server without others, told as a cluster is: it owns every shard. Thread-safe. */
public record Alone(String node, Heat heat) implements Topology {
  private static final String SHARDS = "shards";

  @Override
  public @Nullable String cluster() {
    return null;
  }

  @Override
  public List<Standing> groups() {
    return List.of(group(SHARDS));
  }

  @Override
  public Standing group(String name) {
    return new Standing(name, node, /* term= */ 0, /* appliedIndex= */ 0, List.of(node));
  }

  @Override
  public Standing shard(int shard) {
    return group(SHARDS);
  }

  @Override
  public void nodes(Asker<List<NodeState>> done) {
    done.accept(
        List.of(
            new NodeState(
                node,
                /* reachable= */ true,
                /* draining= */ false,
                /* clockOffsetMillis= */ 0L,
                groups())));
  }

  @Override
  public void rates(Asker<Map<String, List<ShardRate>>> done) {
    done.accept(Map.of(node, heat.shards()));
  }

  /** Not on the thread of whoever asks: that one decides. */
  @Override
  public void keys(Asker<Map<String, List<KeyRate>>> done) {
    var unused =
        CompletableFuture.supplyAsync(heat::keys)
            .thenAccept(keys -> done.accept(Map.of(node, keys)));
  }

  @Override
  public void drain(String other, Asker<NodeState> done) {
    throw new IllegalArgumentException(
        "node: " + other + " (expected: one of a cluster; a single server has no other to lead)");
  }

  @Override
  public void move(int shard, String other, Asker<Standing> done) {
    throw alone(other);
  }

  @Override
  public void add(String other, Asker<List<String>> done) {
    throw alone(other);
  }

  @Override
  public void remove(String other, Asker<List<String>> done) {
    throw alone(other);
  }

  private static IllegalArgumentException alone(String other) {
    return new IllegalArgumentException(
        "node: " + other + " (expected: one of a cluster; a single server was started without)");
  }
}
