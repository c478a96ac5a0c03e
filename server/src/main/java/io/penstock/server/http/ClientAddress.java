package io.penstock.server.http;

import io.netty.util.NetUtil;
import io.penstock.server.config.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a client behind proxies. Immutable.
 *
 * <p>Each proxy appends the address it sees, so the list is believed from its right end, as far as
 * those who wrote it are trusted: the client is the rightmost that is no trusted proxy. Whatever
 * stands left of it is what the client says of itself.
 */
final class ClientAddress {
  private final List<Network> trustedProxies;

  ClientAddress(List<Network> trustedProxies) {
    this.trustedProxies = trustedProxies;
  }

  /**
   * The client's address.
   *
   * @param peer who is connected; null if it is a process at a Unix socket, which is trusted as a
   *     proxy if any is
   * @param forwarded the values of {@code X-Forwarded-For}, in order
   */
  @Nullable String find(@Nullable InetAddress peer, List<String> forwarded) {
    InetAddress client = peer;
    boolean isTrusted = peer == null ? !trustedProxies.isEmpty() : isTrusted(peer);
    String[] hops = String.join(",", forwarded).split(",", -1);
    for (int i = hops.length - 1; i >= 0 && isTrusted; i--) {
      InetAddress hop = parse(hops[i].strip());
      if (hop == null) {
        break;
      }
      client = hop;
      isTrusted = isTrusted(hop);
    }
    return client == null ? null : NetUtil.toAddressString(client);
  }

  private boolean isTrusted(InetAddress address) {
    for (Network network : trustedProxies) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** An address in numbers, with or without brackets and port; null if it is anything else. */
  static @Nullable InetAddress parse(String hop) {
    String text = hop;
    if (hop.startsWith("[") && hop.indexOf(']') > 0) {
      text = hop.substring(1, hop.indexOf(']'));
    } else if (hop.indexOf(':') > 0 && hop.indexOf(':') == hop.lastIndexOf(':')) {
      text = hop.substring(0, hop.indexOf(':'));
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
    try {
      return bytes == null ? null : InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
