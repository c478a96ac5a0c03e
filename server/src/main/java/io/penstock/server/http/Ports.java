package io.penstock.server.http;

import io.netty.channel.Channel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sockets that are listened at, as far as anybody has come in by them. Thread-safe.
 *
 * <p>The library first sends its event loops home and then closes the socket; whoever comes in
 * between makes it log a failure. So the socket is closed before.
 */
final class Ports {
  private final Set<Channel> seen = ConcurrentHashMap.newKeySet();

  /** Notes by which socket a connection came. */
  void note(Channel connection) {
    @Nullable Channel port = connection.parent();
    if (port != null) {
      seen.add(port);
    }
  }

  /** Takes no connection any more; those that are there go on. */
  Future<?> close() {
    return Future.join(seen.stream().map(Ports::closed).toList());
  }

  private static Future<Void> closed(Channel port) {
    Promise<Void> promise = Promise.promise();
    port.close().addListener(done -> promise.complete());
    return promise.future();
  }
}
