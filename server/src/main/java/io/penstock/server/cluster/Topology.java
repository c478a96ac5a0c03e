package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.KeyRate;
import io.penstock.server.node.ShardRate;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Which nodes there are and who leads what, as this one knows. Implementations are thread-safe. */
public interface Topology {
  /** The name of this node. */
  String node();

  /** The id of the cluster; null if this server is alone. */
  @Nullable String cluster();

  /** Every group, by name. */
  List<Standing> groups();

  /** One of them. */
  Standing group(String name);

  /** Tells the name of every group that there is, and of each that comes into being later. */
  default void onGroup(Consumer<String> listener) {
    groups().forEach(each -> listener.accept(each.group()));
  }

  /** The group of a shard: its leader owns it. */
  Standing shard(int shard);

  /** Asks every node how it is; who does not answer soon is not reachable. */
  void nodes(Asker<List<NodeState>> done);

  /** How much each node that owns decides on its shards; without who does not answer soon. */
  void rates(Asker<Map<String, List<ShardRate>>> done);

  /** Which keys that is for: the most frequent of each node, the first of them first. */
  void keys(Asker<Map<String, List<KeyRate>>> done);

  /**
   * Has a node give away what it leads, and lead nothing more until its process ends. Tells how
   * that node is when it leads nothing, or when nobody takes over.
   *
   * @throws IllegalArgumentException if there is no such node, or no other one
   */
  void drain(String node, Asker<NodeState> done);

  /**
   * Has a node own a shard: moves it to a group that the node owns, or the whole group of the shard
   * if it owns none. Tells how the group of the shard stands then.
   *
   * @throws IllegalArgumentException if there is no such shard or node
   */
  void move(int shard, String node, Asker<Standing> done);

  /**
   * Takes a node into the cluster that is started and waits for that; tells the names of all nodes
   * then.
   *
   * @param node its name and address, as {@code n4=HOST:PORT}
   * @throws IllegalArgumentException if that is no such text, or there is no cluster
   */
  void add(String node, Asker<List<String>> done);

  /**
   * Takes a node out of the cluster, dead or alive; tells the names of the others.
   *
   * @throws IllegalArgumentException if there is no such node, or no other one
   */
  void remove(String node, Asker<List<String>> done);
}
