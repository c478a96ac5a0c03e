package io.penstock.server.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/**
 * Reads up to the end that a client has sent, and no further. Confined to the event loop of its
 * connection.
 *
 * <p>A channel of epoll that wants neither more bytes nor to hear of their end cannot want anything
 * again (Netty 4.2.18, 4.2.19): the attempt closes it, and answers are lost. So whoever pauses when
 * the end is near gets the rest of what has arrived, and whoever goes on behind the end gets
 * nothing.
 */
final class InputEnd extends ChannelDuplexHandler {
  private boolean asked;

  /** Whether bytes came that nobody asked for: the channel has heard of the end behind them. */
  private boolean unasked;

  private boolean ended;

  @Override
  public void read(ChannelHandlerContext context) {
    if (!ended) {
      asked = true;
      context.read();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    unasked |= !asked;
    context.fireChannelRead(bytes);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    asked = false;
    context.fireChannelReadComplete();
    if (unasked) {
      unasked = false;
      read(context);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    ended |= event == ChannelInputShutdownEvent.INSTANCE;
    context.fireUserEventTriggered(event);
  }
}
