package io.penstock.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * How long a connection has kept us waiting: since the first byte of a request that is half here or
 * not answered, or since the last answer if no byte has come. Confined to the event loop of its
 * connection.
 *
 * <p>A mere idle timeout starts again with every byte, and so waits for ever for a request that
 * comes byte by byte.
 */
final class Patience extends ChannelDuplexHandler {
  private final Connections connections;
  private final Channel channel;
  private final HalfRequest half;
  private boolean inRequest;
  private int since;

  Patience(Connections connections, Channel channel, HalfRequest half) {
    this.connections = connections;
    this.channel = channel;
    this.half = half;
    this.since = connections.second();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    if (!inRequest) {
      inRequest = true;
      since = connections.second();
    }
    context.fireChannelRead(bytes);
  }

  @Override
  public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise)
      throws Exception {
    inRequest = false;
    since = connections.second();
    super.write(context, bytes, promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    connections.remove(this);
    context.fireChannelInactive();
  }

  /** Half a request may stand behind others, whose answers say nothing about it. */
  void closeIfOver(int requestSeconds, int idleSeconds) {
    boolean isHalf = half.isInside();
    int waited = connections.second() - (isHalf ? half.since() : since);
    if (waited > (isHalf || inRequest ? requestSeconds : idleSeconds)) {
      ChannelFuture unused = channel.close();
    }
  }
}
