package io.penstock.cli.cluster;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that nobody has. Stateless. */
final class FreePort {
  private static final int PORT_MIN = 10_000;
  private static final int PORT_MAX = 32_000;

  private FreePort() {}

  /*
   * Below those that a system gives to outgoing calls: one of these could take the port of a node
   * that is down, even one that calls that very port, and the node could not come back.
   */
  static int find() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (IOException e) {
        // Somebody has it: another one.
      }
    }
  }
}
