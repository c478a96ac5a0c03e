package io.penstock.cluster;

import io.penstock.core.Clock;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node takes part in a cluster. Immutable.
 *
 * @param node its name, one of the peers
 * @param peers the nodes that create the cluster together, and where this one reaches them
 * @param folder where it keeps what it has promised
 * @param clock its own time, which goes on steadily
 * @param wall its wall clock, which may be off and be set right
 * @param tls how nodes know each other; null if anybody who reaches the port is one
 */
public record RaftOptions(
    String node,
    List<Peer> peers,
    Path folder,
    Clock clock,
    InstantSource wall,
    @Nullable PeerTls tls) {
  public RaftOptions {
    peers = List.copyOf(peers);
    if (peers.stream().noneMatch(peer -> peer.name().equals(node))) {
      throw new IllegalArgumentException("node: " + node + " (expected: one of " + peers + ")");
    }
  }

  List<Peer> others() {
    return peers.stream().filter(peer -> !peer.name().equals(node)).toList();
  }

  /**
   * Where this node reaches a member: where its own peers say, whatever others call it, since an
   * address may change, and may not be the same from everywhere. Else where it was when it joined.
   */
  Peer reached(Member member) {
    for (Peer peer : peers) {
      if (peer.name().equals(member.peer().name())) {
        return peer;
      }
    }
    return member.peer();
  }

  Peer self() {
    return peers.stream().filter(peer -> peer.name().equals(node)).findFirst().orElseThrow();
  }
}
