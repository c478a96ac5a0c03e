package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the head of a request must say beyond what the decoder asks for: a version that is spoken
 * here, one host (RFC 9112, 3.2), nothing twice by which a caller is known, and no expectation or
 * transfer coding but the one there is. What breaks a rule goes on as if it had not been decoded,
 * so that it is answered in its turn; nothing behind it goes on. Confined to the event loop of its
 * connection.
 */
final class HeadRules extends ChannelInboundHandlerAdapter {
  private static final List<CharSequence> CREDENTIALS =
      List.of(HttpHeaderNames.AUTHORIZATION, Lane.API_KEY);

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
      return Refusal.field("version", version.text(), "HTTP/1.1 or HTTP/1.0");
    }
    HttpHeaders fields = request.headers();
    Refusal refusal = host(fields.getAll(HttpHeaderNames.HOST), isNewer);
    return refusal == null ? others(fields) : refusal;
  }

  private static @Nullable Refusal host(List<String> hosts, boolean needed) {
    if (hosts.isEmpty()) {
      return needed ? Refusal.field("Host", "missing", "one") : null;
    }
    if (hosts.size() > 1) {
      return Refusal.field("Host", "given twice", "one");
    }
    byte[] host = hosts.get(0).getBytes(ISO_8859_1);
    return Host.isValid(host, 0, host.length)
        ? null
        : Refusal.field("Host", hosts.get(0), "a name or an address, and perhaps a port");
  }

  private static @Nullable Refusal others(HttpHeaders fields) {
    for (CharSequence name : CREDENTIALS) {
      if (fields.getAll(name).size() > 1) {
        return Refusal.field(name.toString(), "given twice", "once");
      }
    }
    List<String> codings = fields.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    String coding = String.join(", ", codings);
    if (!codings.isEmpty() && !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(coding)) {
      return Refusal.field("Transfer-Encoding", coding, "chunked");
    }
    for (String expectation : fields.getAll(HttpHeaderNames.EXPECT)) {
      if (!HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expectation)) {
        return Refusal.field("Expect", expectation, "100-continue").as(417);
      }
    }
    if (fields.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
      // The library looks for a field that says only this.
      fields.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return null;
  }
}
