package io.penstock.cluster;

import org.apache.ratis.protocol.RaftPeer;

/**
 * A node of a cluster: a peer, and which of its lives. Who has lost its disk comes back as another
 * member of the same name, since it has forgotten how it voted (R24). Immutable.
 */
record Member(Peer peer, String incarnation) {
  private static final String BETWEEN = ".";

  /** By what Raft knows it. */
  String id() {
    return id(peer.name(), incarnation);
  }

  static String id(String name, String incarnation) {
    return name + BETWEEN + incarnation;
  }

  /** The name of the node that Raft knows by an id. */
  static String name(String id) {
    return id.substring(0, id.indexOf(BETWEEN));
  }

  /** The same at another address. */
  Member at(Peer address) {
    return new Member(address, incarnation);
  }

  /** As Raft has it. */
  RaftPeer raftPeer() {
    return RaftPeer.newBuilder().setId(id()).setAddress(peer.address()).build();
  }

  static Member parse(String text) {
    int at = text.indexOf(BETWEEN);
    int equals = text.indexOf('=');
    if (at < 0 || equals < at) {
      throw new IllegalArgumentException(
          "member: " + text + " (expected: NAME.INCARNATION=HOST:PORT)");
    }
    Peer peer = Peer.parse(text.substring(0, at) + text.substring(equals));
    return new Member(peer, text.substring(at + 1, equals));
  }

  @Override
  public String toString() {
    return id() + "=" + peer.address();
  }
}
