package io.penstock.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import java.util.List;

/**
 * The library's decoder, but for two things: it takes a request line only as it should be, with
 * single spaces, and no field without a name; and it knows since when it has had half a request.
 * Confined to the event loop of its connection.
 */
final class RequestDecoder extends VertxHttpRequestDecoder {
  private final Connections connections;

  /** Whether a request has begun whose end was not read. */
  private boolean begun;

  /** Whether a request ended in this read. */
  private boolean ended;

  private boolean inside;
  private int since;

  RequestDecoder(Http1ServerConfig config, Connections connections) {
    super(config);
    this.connections = connections;
  }

  /** Whether half a request is here. */
  boolean isInside() {
    return inside;
  }

  /** The second in which the request began that is half here. */
  int since() {
    return since;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
    ended = false;
    super.channelRead(context, bytes);
    boolean isHalf = begun || actualReadableBytes() > 0;
    if (isHalf && (!inside || ended)) {
      since = connections.second();
    }
    inside = isHalf;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    super.decode(context, in, out);
    if (!out.isEmpty() && out.get(out.size() - 1) instanceof LastHttpContent) {
      begun = false;
      ended = true;
    }
  }

  @Override
  protected HttpMessage createMessage(String[] line) {
    begun = true;
    return super.createMessage(line);
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    requireOneSpace(line, start);
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
    requireOneSpace(line, start);
    return super.splitThirdWordInitialLine(line, start, length);
  }

  private static void requireOneSpace(byte[] line, int start) {
    if (start < 2 || line[start - 1] != ' ' || line[start - 2] <= ' ') {
      throw Refusal.field("request line", "words that are not one space apart", "single spaces");
    }
  }

  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    if (length == 0) {
      throw Refusal.field("header", "a field without a name", "a name before the colon");
    }
    return super.splitHeaderName(line, start, length);
  }
}
