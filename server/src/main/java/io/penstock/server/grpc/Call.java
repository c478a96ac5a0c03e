package io.penstock.server.grpc;

import io.netty.buffer.ByteBuf;

/** A call on a stream of a connection. Confined to the event loop of that connection. */
interface Call {
  /**
   * Takes the content of a DATA frame.
   *
   * @param isLast whether the client has said everything
   * @return how many bytes of this call are dealt with, so that the client may send as many more
   */
  int read(ByteBuf data, boolean isLast);

  /** The stream is closed: answered, reset, or gone with its connection. */
  void closed();
}
