package io.penstock.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
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
  private int second;

  Connections(Ports ports, AtomicInteger all, int allMax, int idleSeconds) {
    this.ports = ports;
    this.all = all;
    this.allMax = allMax;
    this.idleSeconds = idleSeconds;
  }

  /** Takes a new connection, or closes it if there are too many. */
  void add(HttpConnection connection, PlainChecks.@Nullable Room room) {
    Channel channel = ((ConnectionBase) connection).channel();
    ports.note(channel);
    if (all.incrementAndGet() > allMax) {
      all.decrementAndGet();
      ChannelFuture unused = channel.close();
      return;
    }
    Patience patience = new Patience(this, channel);
    open.add(patience);
    channel.pipeline().addBefore("httpDecoder", "patience", patience);
    if (room != null) {
      channel.pipeline().addBefore("httpDecoder", "plain-checks", new PlainChecks(room));
    }
    channel.pipeline().addAfter("httpDecoder", "rules", new HeadRules());
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
