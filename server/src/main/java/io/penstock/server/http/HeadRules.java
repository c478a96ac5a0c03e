package io.penstock.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What the head of a request must say beyond what the decoder asks for: a version that is spoken
 * here, and one host (RFC 9112, 3.2). What breaks a rule goes on as if it had not been decoded, so
 * that it is answered in its turn; nothing behind it goes on. Confined to the event loop of its
 * connection.
 */
final class HeadRules extends ChannelInboundHandlerAdapter {
  private boolean broken;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (broken) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request && request.decoderResult().isSuccess()) {
      Refusal refusal = refusal(request);
      if (refusal != null) {
        broken = true;
        request.setDecoderResult(DecoderResult.failure(refusal));
        // The answer is told in the version of the request.
        request.setProtocolVersion(HttpVersion.HTTP_1_1);
      }
    }
    context.fireChannelRead(message);
  }

  private static @Nullable Refusal refusal(HttpRequest request) {
    HttpVersion version = request.protocolVersion();
    boolean isNewer = version.equals(HttpVersion.HTTP_1_1);
    if (!isNewer && !version.equals(HttpVersion.HTTP_1_0)) {
      return Refusal.of(505, "version: " + version + " (expected: HTTP/1.1 or HTTP/1.0)");
    }
    Iterator<? extends CharSequence> hosts =
        request.headers().valueCharSequenceIterator(HttpHeaderNames.HOST);
    if (!hosts.hasNext()) {
      return isNewer ? Refusal.field("Host", "missing", "one") : null;
    }
    hosts.next();
    return hosts.hasNext() ? Refusal.field("Host", "given twice", "one") : null;
  }
}
