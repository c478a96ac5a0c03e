package io.penstock.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Receives new connections, and says goodbye to all of them in the end. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class Reception {
  private static final Logger LOG = System.getLogger(Reception.class.getName());

  private static final int CONNECTION_WINDOW = 1 << 20;

  private final Services services;
  private final long patienceMillis;
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  /**
   * @param patienceMillis how long calls under way may take in the end
   */
  Reception(Services services, long patienceMillis) {
    this.services = services;
    this.patienceMillis = patienceMillis;
  }

  /** What is done with each new connection of a port. */
  ChannelInitializer<Channel> door(@Nullable SslContext tls) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) throws Exception {
        if (tls != null) {
          channel.pipeline().addLast(tls.newHandler(channel.alloc()));
        }
        receive(channel);
      }
    };
  }

  private void receive(Channel channel) throws Exception {
    Http2ConnectionHandler handler = CallHandler.of(services.bounds(), patienceMillis);
    channel.pipeline().addLast(handler, new Ending());
    ChannelHandlerContext context = channel.pipeline().context(handler);
    Connection connection = new Connection(context, handler, services);
    handler.decoder().frameListener(connection);
    Http2Connection streams = handler.connection();
    streams
        .local()
        .flowController()
        .incrementWindowSize(streams.connectionStream(), CONNECTION_WINDOW);
    channels.add(channel);
    connections.add(connection);
    channel.closeFuture().addListener(closed -> connections.remove(connection));
    if (closing) {
      connection.leave();
    }
  }

  /** Ends each connection as soon as its calls under way are answered. */
  void leave() {
    closing = true;
    connections.forEach(Connection::leave);
  }

  /** Waits for the end of all connections, then closes those that are left. */
  void close() {
    leave();
    boolean done =
        channels.newCloseFuture().awaitUninterruptibly(patienceMillis, TimeUnit.MILLISECONDS);
    if (!done) {
      for (Channel channel : channels) {
        channel.eventLoop().execute(() -> channel.unsafe().closeForcibly());
      }
      channels.newCloseFuture().awaitUninterruptibly(patienceMillis, TimeUnit.MILLISECONDS);
    }
  }

  /** What breaks a connection ends it, quietly: any client can make that happen. */
  private static final class Ending extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      LOG.log(Level.DEBUG, "a connection broke", cause);
      context.close();
    }
  }
}
