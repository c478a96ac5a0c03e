package io.penstock.server.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;

/**
 * Ends a connection whose client sends no more, when every request that came whole is answered.
 * Confined to the event loop of its connection.
 *
 * <p>The library closes only what the client has closed both ways, or asks it to close.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class Farewell extends ChannelDuplexHandler {
  /** Requests whose answer is not written. */
  private int open;

  /** Whether the last of them has come whole. */
  private boolean whole = true;

  private boolean ended;

  /** Whether the connection ends with what it has got, or answered. */
  private boolean last;

  /** Whether an event says that the client sends no more: by TCP, or by TLS. */
  static boolean isEnd(Object event) {
    return event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent;
  }

  /** Whether every request is answered. */
  boolean isQuiet() {
    return open == 0;
  }

  /**
   * Whether nothing that follows is answered: behind what could not be read, or was refused for its
   * head, or where either side has said that it closes.
   */
  boolean isLast() {
    return last;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      open++;
      whole = false;
      last |= !HttpUtil.isKeepAlive(request);
    }
    last |= message instanceof HttpObject part && part.decoderResult().isFailure();
    if (message instanceof LastHttpContent) {
      whole = true;
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    last |= message instanceof HttpResponse response && !HttpUtil.isKeepAlive(response);
    context.write(message, promise);
    if (message instanceof LastHttpContent && !isInformation(message)) {
      open--;
      if (last && !whole) {
        endSending(context);
      }
      endIfDone(context);
    }
  }

  /**
   * The last answer, to a client that is still sending: it learns that there are no more, while a
   * close could take the answer from it. TLS has its own end, which would be the close.
   */
  private static void endSending(ChannelHandlerContext context) {
    if (context.channel() instanceof DuplexChannel duplex
        && context.pipeline().get(SslHandler.class) == null) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> duplex.shutdownOutput());
    }
  }

  private static boolean isInformation(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (isEnd(event)) {
      ended = true;
      endIfDone(context);
    }
    context.fireUserEventTriggered(event);
  }

  /** What has come in half will never be whole. */
  private void endIfDone(ChannelHandlerContext context) {
    if (ended && open <= (whole ? 0 : 1)) {
      // Behind all answers: a close of its own would overtake those that are still being sent.
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }
}
