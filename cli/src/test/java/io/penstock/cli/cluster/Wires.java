package io.penstock.cli.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What nodes say to each other goes through here, and can be held up. Thread-safe. */
final class Wires implements AutoCloseable {
  /*
   * As in a network that is slow or cut, bytes are not lost but late: TCP sends them until they
   * arrive. So what was said before and during a cut is heard when it is over, unless its speaker
   * has given up. On a slow wire whatever follows waits for what goes before it.
   */
  private static final int BYTES = 1 << 16;

  /** Says how long what one node says to another is held up. */
  @FunctionalInterface
  interface Delay {
    Duration between(int from, int to);
  }

  private final List<Closeable> open = new ArrayList<>();
  private final int[][] ports;
  private Delay delay = (from, to) -> Duration.ZERO;
  private boolean closed;

  /**
   * Wires between all nodes.
   *
   * @param targets the ports on which the nodes listen
   */
  Wires(List<Integer> targets) throws IOException {
    this.ports = new int[targets.size()][targets.size()];
    for (int from = 0; from < targets.size(); from++) {
      for (int to = 0; to < targets.size(); to++) {
        ports[from][to] = from == to ? targets.get(to) : listen(from, to, targets.get(to));
      }
    }
  }

  private int listen(int from, int to, int target) throws IOException {
    ServerSocket server = new ServerSocket(0, /* backlog= */ 50, InetAddress.getLoopbackAddress());
    keep(server);
    start(() -> accept(server, from, to, target));
    return server.getLocalPort();
  }

  private static void start(Runnable run) {
    Thread thread = new Thread(run, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  /** The port by which one node reaches another. */
  int port(int from, int to) {
    return ports[from][to];
  }

  private void accept(ServerSocket server, int from, int to, int target) {
    while (!server.isClosed()) {
      try {
        Socket caller = server.accept();
        connect(caller, from, to, target);
      } catch (IOException e) {
        // Closed, or the caller has gone.
      }
    }
  }

  private void connect(Socket caller, int from, int to, int target) throws IOException {
    try {
      Socket callee = new Socket(InetAddress.getLoopbackAddress(), target);
      caller.setTcpNoDelay(true);
      callee.setTcpNoDelay(true);
      keep(caller);
      keep(callee);
      start(() -> carry(caller, callee, from, to));
      start(() -> carry(callee, caller, to, from));
    } catch (IOException e) {
      caller.close();
      throw e;
    }
  }

  private synchronized void keep(Closeable each) throws IOException {
    open.add(each);
    if (closed) {
      each.close();
    }
  }

  private void carry(Socket source, Socket target, int from, int to) {
    byte[] bytes = new byte[BYTES];
    try (source;
        target) {
      InputStream in = source.getInputStream();
      OutputStream out = target.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        awaitPassage(from, to);
        out.write(bytes, 0, count);
      }
    } catch (IOException e) {
      // One of them has gone: the other is told by the end of its connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitPassage(int from, int to) throws InterruptedException {
    long start = System.nanoTime();
    long left = delay.between(from, to).toNanos();
    while (!closed && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = delay.between(from, to).toNanos() - (System.nanoTime() - start);
    }
  }

  /** From now on these are held up, and no others. */
  synchronized void delay(Delay now) {
    delay = now;
    notifyAll();
  }

  @Override
  public void close() {
    List<Closeable> closing;
    synchronized (this) {
      closed = true;
      notifyAll();
      closing = List.copyOf(open);
    }
    for (Closeable each : closing) {
      try {
        each.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
