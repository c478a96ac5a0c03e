package io.penstock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How many shards each node owns (R19). */
final class Shares {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHARDS = 256;

  private Shares() {}

  /**
   * Waits until each of some nodes knows that they share all; at most a minute, as for anything.
   */
  static void awaitEqual(Nodes nodes, String... names) {
    for (String name : names) {
      int node = Integer.parseInt(name.substring(1)) - 1;
      Nodes.until(() -> nodes.get(node, "/v1/shards"), reply -> areEqual(reply, names));
    }
  }

  /** Whether each of these has as many as the others, as far as that can be. */
  private static boolean areEqual(Reply shards, String... names) {
    Map<String, Integer> owned = owned(shards);
    int share = SHARDS / names.length;
    return owned.keySet().equals(Set.of(names))
        && owned.values().stream().allMatch(size -> size == share || size == share + 1);
  }

  private static Map<String, Integer> owned(Reply shards) {
    Map<String, Integer> owned = new TreeMap<>();
    try {
      for (JsonNode shard : JSON.readTree(shards.body()).path("shards")) {
        owned.merge(shard.path("owner").asText(), 1, Integer::sum);
      }
      return owned;
    } catch (IOException e) {
      return owned;
    }
  }
}
