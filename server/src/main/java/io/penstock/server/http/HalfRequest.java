package io.penstock.server.http;

/**
 * Whether half a request is here, and since when. Confined to the event loop of its connection.
 *
 * <p>Whoever reads the bytes of a connection tells it here. It may change in the middle of a
 * request who that is: the request has begun when it has.
 */
final class HalfRequest {
  private final Connections connections;
  private boolean inside;
  private int since;

  HalfRequest(Connections connections) {
    this.connections = connections;
  }

  /** Half a request is here. */
  void begin() {
    if (!inside) {
      inside = true;
      since = connections.second();
    }
  }

  /** The request is whole, or there was none. */
  void end() {
    inside = false;
  }

  boolean isInside() {
    return inside;
  }

  /** The second in which the request began that is half here. */
  int since() {
    return since;
  }
}
