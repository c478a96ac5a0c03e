package io.penstock.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** A range of addresses, {@code 10.0.0.0/8} or a single one. Immutable. */
public final class Network {
  /** Never a name: looking one up would ask the network. */
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final byte[] address;
  private final int prefix;

  private Network(byte[] address, int prefix) {
    this.address = address;
    this.prefix = prefix;
  }

  /** Reads {@code ADDRESS} or {@code ADDRESS/BITS}. */
  public static Network parse(String text) {
    String[] parts = text.split("/", -1);
    try {
      if (parts.length <= 2 && NUMERIC.matcher(parts[0]).matches()) {
        byte[] address = InetAddress.getByName(parts[0]).getAddress();
        int bits = 8 * address.length;
        int prefix = parts.length == 1 ? bits : Integer.parseInt(parts[1]);
        if (prefix >= 0 && prefix <= bits) {
          return new Network(address, prefix);
        }
      }
    } catch (UnknownHostException | NumberFormatException odd) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "network: " + text + " (expected: an address, or one with its bits like 10.0.0.0/8)");
  }

  public boolean contains(InetAddress other) {
    byte[] bytes = other.getAddress();
    if (bytes.length != address.length) {
      return false;
    }
    for (int bit = 0; bit < prefix; bit += 8) {
      int mask = 0xff << Math.max(0, 8 - (prefix - bit));
      if (((bytes[bit / 8] ^ address[bit / 8]) & mask & 0xff) != 0) {
        return false;
      }
    }
    return true;
  }
}
