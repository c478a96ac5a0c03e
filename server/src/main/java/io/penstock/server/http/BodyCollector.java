package io.penstock.server.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Collects the body of one request, up to a bound. Confined to the event loop of its connection.
 *
 * <p>A body that is too large is refused at once, and what still comes is thrown away: closing
 * under a client that is still sending would take the refusal from it.
 */
final class BodyCollector implements Handler<Buffer> {
  /** How many times the bound is thrown away before the connection is cut. */
  private static final int PATIENCE = 8;

  private final Exchange exchange;
  private final Lane lane;
  private final Endpoint endpoint;
  private final int bytesMax;
  private @Nullable Buffer content;
  private long received;
  private boolean tooLarge;
  private boolean failed;

  BodyCollector(Exchange exchange, Lane lane, Endpoint endpoint, int bytesMax) {
    this.exchange = exchange;
    this.lane = lane;
    this.endpoint = endpoint;
    this.bytesMax = bytesMax;
  }

  void start() {
    exchange.request().handler(this).endHandler(end -> end()).exceptionHandler(this::fail);
    String length = exchange.header(HttpHeaders.CONTENT_LENGTH);
    if (length != null && Long.parseLong(length) > bytesMax) {
      refuse(length + " bytes");
    } else {
      exchange.invite();
    }
  }

  @Override
  public void handle(Buffer part) {
    received += part.length();
    if (tooLarge) {
      if (received > (long) PATIENCE * bytesMax) {
        exchange.request().connection().close();
      }
    } else if (received > bytesMax) {
      refuse("more");
    } else {
      content = content == null ? part : content.appendBuffer(part);
    }
  }

  private void refuse(String size) {
    tooLarge = true;
    content = null;
    exchange.with(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    exchange.refuse(Refusal.field("body", size, "at most " + bytesMax + " bytes").as(413));
  }

  /** The connection ends, and a client that is still there learns why; it may be told twice. */
  private void fail(Throwable cause) {
    if (tooLarge || failed) {
      return;
    }
    failed = true;
    exchange.with(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    exchange.refuse(Refusal.field("body", "broken off, or odd chunks", "a whole body"));
  }

  private void end() {
    if (tooLarge) {
      exchange.request().connection().close();
      return;
    }
    if (content != null) {
      exchange.setBody(content.getBytes());
    }
    lane.answer(exchange, endpoint);
  }
}
