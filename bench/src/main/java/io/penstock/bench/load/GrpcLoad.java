package io.penstock.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Asks a gRPC server as fast as it answers, and prints how fast that was. Confined to one thread.
 *
 * <p>Usage: {@code GrpcLoad rls|throttlecrab PORT CONNECTIONS STREAMS SECONDS KEYS}.
 */
public final class GrpcLoad {
  private long answers;
  private long errors;

  private GrpcLoad() {}

  public static void main(String[] arguments) throws IOException {
    int keys = Integer.parseInt(arguments[5]);
    Question question = Question.named(arguments[0], keys);
    InetSocketAddress server =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
    int connections = Integer.parseInt(arguments[2]);
    int streams = Integer.parseInt(arguments[3]);
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[4]));
    GrpcLoad load = new GrpcLoad();
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < connections; i++) {
        SocketChannel channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        GrpcConnection connection = new GrpcConnection(channel, question, streams, load);
        connection.open();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, connection);
      }
      long took = load.run(selector, nanos);
      System.out.printf(
          "answers=%d errors=%d rate=%.0f%n", load.answers, load.errors, load.answers * 1e9 / took);
    }
  }

  private long run(Selector selector, long nanos) throws IOException {
    long start = LoadClock.nanos();
    while (LoadClock.nanos() - start < nanos) {
      selector.select(1000);
      for (SelectionKey key : selector.selectedKeys()) {
        ((GrpcConnection) key.attachment()).proceed();
      }
      selector.selectedKeys().clear();
    }
    return LoadClock.nanos() - start;
  }

  /** One call is over. */
  void answered(boolean isMessage) {
    answers++;
    errors += isMessage ? 0 : 1;
  }
}
