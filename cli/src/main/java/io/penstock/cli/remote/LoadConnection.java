package io.penstock.cli.remote;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.SplittableRandom;

/**
 * One connection of a bench: sends some requests at once, reads their answers, and again. Confined
 * to one thread.
 */
final class LoadConnection {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Load load;
  private final int pipeline;
  private final long requests;
  private final Pace pace;
  private final SplittableRandom random;

  LoadConnection(Load load, int pipeline, long requests, Pace pace, long seed) {
    this.load = load;
    this.pipeline = pipeline;
    this.requests = requests;
    this.pace = pace;
    this.random = new SplittableRandom(seed);
  }

  boolean run(InetSocketAddress server, Spread spread) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(server, TIMEOUT_MILLIS);
      BufferedInputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
      for (long left = requests; left > 0; left -= pipeline) {
        int now = (int) Math.min(pipeline, left);
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        for (int i = 0; i < now; i++) {
          batch.writeBytes(load.request(random));
        }
        long start = pace.await(now);
        batch.writeTo(socket.getOutputStream());
        int denied = 0;
        for (int i = 0; i < now; i++) {
          denied += load.readDenied(in) ? 1 : 0;
        }
        spread.add(BenchClock.nanos() - start, now, denied);
      }
    }
    return true;
  }
}
