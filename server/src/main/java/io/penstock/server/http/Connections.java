package io.penstock.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.penstock.server.Bounds;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of one event loop, and how long each may keep us waiting. Confined to that
 * event loop, but for the number of all connections, which the loops share.
 */
final class Connections {
  /** A request must be whole within this time, however slowly its bytes come. */
  private static final int REQUEST_SECONDS_MAX = 10;

  private final Set<Patience> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Ports ports;
  private final AtomicInteger all;
  private final int allMax;
  private final int idleSeconds;
  private final Http1ServerConfig decoding;
  private int second;

  Connections(Ports ports, AtomicInteger all, Bounds bounds) {
    this.ports = ports;
    this.all = all;
    this.allMax = bounds.connections();
    this.idleSeconds = bounds.idleSeconds();
    this.decoding = ServerOptions.of(bounds).getHttp1Config();
  }

  /** Takes a new connection, or closes it if there are too many. */
  void add(HttpConnection connection, @Nullable PlainDesk desk) {
    Channel channel = ((ConnectionBase) connection).channel();
    ports.note(channel);
    if (all.incrementAndGet() > allMax) {
      all.decrementAndGet();
      ChannelFuture unused = channel.close();
      return;
    }
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    HalfRequest half = new HalfRequest(this);
    RequestDecoder decoder = new RequestDecoder(decoding, half);
    Farewell farewell = new Farewell();
    Patience patience = new Patience(this, channel, half);
    open.add(patience);
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.addFirst("input-end", new InputEnd());
    pipeline.addBefore("httpDecoder", "patience", patience);
    if (desk != null) {
      PlainChecks checks = new PlainChecks(desk, half, farewell, channel.eventLoop());
      decoder.giveBack(checks::takeBack);
      pipeline.addBefore("httpDecoder", "plain-checks", checks);
    }
    pipeline.replace("httpDecoder", "httpDecoder", decoder);
    pipeline.addAfter("httpDecoder", "rules", new HeadRules());
    pipeline.addBefore("handler", "farewell", farewell);
  }

  void remove(Patience patience) {
    if (open.remove(patience)) {
      all.decrementAndGet();
    }
  }

  /** Seconds as this loop counts them. */
  int second() {
    return second;
  }

  /** Lets a second pass, and closes what has been waited for too long. */
  void tick() {
    second++;
    int requestSeconds = Math.min(REQUEST_SECONDS_MAX, idleSeconds);
    for (Patience patience : List.copyOf(open)) {
      patience.closeIfOver(requestSeconds, idleSeconds);
    }
  }
}
