package io.penstock.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;

/** Why an address cannot be listened at, in the words of the settings. Stateless. */
public final class ListenTrouble {
  private ListenTrouble() {}

  /**
   * Of a port of TCP.
   *
   * @param protocol as the setting of its port begins
   */
  public static IOException of(String protocol, InetSocketAddress address, Throwable cause) {
    String port = protocol + "-port: " + address.getPort();
    String said = said(cause);
    if (said.contains("in use")) {
      return new IOException(port + " (expected: a free port; in use)", cause);
    }
    if (said.contains("denied")) {
      return new IOException(port + " (expected: a port you may take; permission denied)", cause);
    }
    if (said.contains("assign requested address")) {
      String host = "host: " + address.getHostString();
      return new IOException(host + " (expected: an address of this machine)", cause);
    }
    return new IOException(port + " (expected: a port that can be listened at)", cause);
  }

  /** Of a Unix socket. */
  public static IOException of(Path socket, Throwable cause) {
    String expected =
        said(cause).contains("denied")
            ? " (expected: a folder you may write in; permission denied)"
            : " (expected: a path at which a socket can be made)";
    return new IOException("uds: " + socket + expected, cause);
  }

  /** There is no other way to tell which of the errors of the system it is. */
  private static String said(Throwable cause) {
    return cause.toString().toLowerCase(Locale.ROOT);
  }
}
