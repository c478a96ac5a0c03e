package io.penstock.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The library's decoder, but for three things: it takes a request line only as it should be, with
 * single spaces and a version to the letter, and no field without a name; it tells when it has half
 * a request; and it gives back what follows a request, if somebody wants it. Confined to the event
 * loop of its connection.
 */
final class RequestDecoder extends VertxHttpRequestDecoder {
  private final HalfRequest half;

  /** Whether a request has begun whose end was not read. */
  private boolean begun;

  private @Nullable Consumer<ByteBuf> following;

  RequestDecoder(Http1ServerConfig config, HalfRequest half) {
    super(config);
    this.half = half;
  }

  /** From now on, decodes one request at a time, and gives back what was read behind its end. */
  void giveBack(Consumer<ByteBuf> to) {
    following = to;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
    super.channelRead(context, bytes);
    if (begun || actualReadableBytes() > 0) {
      half.begin();
    } else {
      half.end();
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    super.decode(context, in, out);
    if (!out.isEmpty() && out.get(out.size() - 1) instanceof LastHttpContent) {
      begun = false;
      half.end();
      if (following != null && in.isReadable()) {
        following.accept(in.readRetainedSlice(in.readableBytes()));
      }
    }
  }

  @Override
  protected HttpMessage createMessage(String[] line) {
    begun = true;
    return super.createMessage(line);
  }

  @Override
  protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
    /* The line has an array of its own, and a word in front of which nothing stands begins it. */
    if (start > 0) {
      throw notOfSingleSpaces();
    }
    return super.splitFirstWordInitialLine(line, start, length);
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    requireOneSpace(line, start);
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
    requireOneSpace(line, start);
    String version = super.splitThirdWordInitialLine(line, start, length);
    requireLetters(version);
    return version;
  }

  /**
   * The library takes other spellings for one of these versions, and then does not know it: it
   * would answer 501. Versions that are others stay for {@link HeadRules}.
   */
  private static void requireLetters(String version) {
    HttpVersion read = HttpVersion.valueOf(version);
    boolean isSpoken = read.equals(HttpVersion.HTTP_1_1) || read.equals(HttpVersion.HTTP_1_0);
    if (isSpoken && !read.text().equals(version)) {
      throw Refusal.field("version", version, "HTTP/1.1 or HTTP/1.0");
    }
  }

  private static void requireOneSpace(byte[] line, int start) {
    if (start < 2 || line[start - 1] != ' ' || line[start - 2] <= ' ') {
      throw notOfSingleSpaces();
    }
  }

  private static Refusal notOfSingleSpaces() {
    return Refusal.field("request line", "words that are not one space apart", "single spaces");
  }

  @Override
  protected AsciiString splitHeaderName(byte[] line, int start, int length) {
    if (length == 0) {
      throw Refusal.field("header", "a field without a name", "a name before the colon");
    }
    return super.splitHeaderName(line, start, length);
  }
}
