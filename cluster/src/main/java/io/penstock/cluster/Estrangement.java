package io.penstock.cluster;

import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** That a node was started on the data of one cluster among the nodes of another (R24). */
final class Estrangement {
  private Estrangement() {}

  /**
   * Says so, in words for its operator; null if somebody of its own cluster has answered, or
   * nobody.
   *
   * @param told the clusters that others belong to, by their names
   */
  static @Nullable String of(Membership own, Map<String, UUID> told) {
    UUID cluster = own.cluster();
    if (told.isEmpty() || told.containsValue(cluster)) {
      return null;
    }
    String others =
        told.values().stream().distinct().map(UUID::toString).collect(Collectors.joining(" and "));
    return ("data: of cluster %s (expected: that of cluster %s, as the nodes that answer; start"
            + " with an empty data folder, or with the peers of cluster %s)")
        .formatted(cluster, others, cluster);
  }
}
