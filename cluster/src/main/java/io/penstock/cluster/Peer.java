package io.penstock.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node as it is listed: its name, and where other nodes reach it. Immutable. */
public record Peer(String name, String host, int port) {
  private static final Pattern TEXT =
      Pattern.compile("([a-z0-9][a-z0-9-]{0,31})=(\\[[0-9a-fA-F:]+]|[^\\s:=,\\[\\]]+):(\\d{1,5})");
  private static final int PORT_MAX = 65_535;

  /** A cluster has at most so many nodes: each entry goes to all of them. */
  static final int PEERS_MAX = 9;

  /** Reads {@code n1=HOST:PORT}, or throws what was expected. */
  public static Peer parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw expected("NAME=HOST:PORT, a name of letters, digits and hyphens, as n1=10.0.0.1:7001");
    }
    int port = Integer.parseInt(parts.group(3));
    if (port < 1 || port > PORT_MAX) {
      throw expected("a port from 1 to " + PORT_MAX);
    }
    return new Peer(parts.group(1), parts.group(2), port);
  }

  /** Reads a list of peers, by commas, or throws what was expected. */
  public static List<Peer> parseAll(String text) {
    List<Peer> peers = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (String part : text.split(",", -1)) {
      Peer peer = parse(part);
      if (!names.add(peer.name)) {
        throw expected("each name once; " + peer.name + " is there twice");
      }
      peers.add(peer);
    }
    if (peers.size() > PEERS_MAX) {
      throw expected("at most " + PEERS_MAX + " nodes, not " + peers.size());
    }
    return List.copyOf(peers);
  }

  private static IllegalArgumentException expected(String what) {
    return new IllegalArgumentException(what);
  }

  /** Whether only this machine reaches it. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Where it is reached: {@code HOST:PORT}. */
  String address() {
    return host + ":" + port;
  }

  @Override
  public String toString() {
    return name + "=" + address();
  }
}
