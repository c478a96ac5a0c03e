package io.penstock.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes new connections while there are too many; those that are there go on. Thread-safe.
 *
 * <p>It stands before a listening socket hands a connection on, so that one too many costs nothing
 * but its acceptance.
 */
@Sharable
final class ConnectionBound extends ChannelInboundHandlerAdapter {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  ConnectionBound(int most) {
    this.most = most;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel connection = (Channel) message;
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      connection.unsafe().closeForcibly();
      return;
    }
    var unused = connection.closeFuture().addListener(closed -> open.decrementAndGet());
    context.fireChannelRead(message);
  }
}
