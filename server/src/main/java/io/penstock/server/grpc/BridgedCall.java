package io.penstock.server.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;

/**
 * A call whose messages go over the bridge, in both directions, one at a time: no side is sent more
 * than it asks for. Confined to the event loop of its connection; what comes back from the bridge
 * goes there first.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be sent has nobody who waits for it.
final class BridgedCall implements Call {
  private final ClientCall<byte[], byte[]> call;
  private final Reply reply;
  private final Messages messages;
  private int unreturned;
  private boolean isWhole;
  private boolean halfClosed;

  private BridgedCall(ClientCall<byte[], byte[]> call, Reply reply, Messages messages) {
    this.call = call;
    this.reply = reply;
    this.messages = messages;
  }

  static Call start(
      ClientCall<byte[], byte[]> call, Metadata metadata, Reply reply, Messages messages) {
    BridgedCall bridged = new BridgedCall(call, reply, messages);
    call.start(bridged.new Answers(), metadata);
    call.request(1);
    return bridged;
  }

  @Override
  public int read(ByteBuf data, boolean isLast) {
    int length = data.readableBytes();
    if (reply.hasEnded()) {
      return length;
    }
    isWhole |= isLast;
    unreturned += length;
    try {
      messages.add(data);
    } catch (StatusRuntimeException e) {
      fail(e.getStatus());
    }
    return feed();
  }

  /** Sends what the service is ready for; tells how many bytes are dealt with. */
  private int feed() {
    try {
      while (!reply.hasEnded() && messages.isNextWhole()) {
        if (!call.isReady()) {
          return 0;
        }
        byte[] message = messages.next();
        if (message != null) {
          call.sendMessage(message);
        }
      }
      finish();
    } catch (StatusRuntimeException e) {
      fail(e.getStatus());
    }
    int returned = unreturned;
    unreturned = 0;
    return returned;
  }

  private void finish() {
    if (isWhole && !halfClosed && !reply.hasEnded()) {
      if (!messages.isEmpty()) {
        throw Messages.broken("message: cut short (expected: a whole one)");
      }
      halfClosed = true;
      call.halfClose();
    }
  }

  private void fail(Status status) {
    reply.end(status, new Metadata());
    call.cancel(status.getDescription(), /* cause= */ null);
  }

  @Override
  public void closed() {
    if (!reply.hasEnded()) {
      reply.abandon();
      call.cancel("the client is gone", /* cause= */ null);
    }
  }

  /** What comes back, on whatever thread; the event loop does it in the same order. */
  private final class Answers extends ClientCall.Listener<byte[]> {
    @Override
    public void onHeaders(Metadata metadata) {
      reply.connection().later(() -> reply.begin(Fields.begin(metadata)));
    }

    @Override
    public void onMessage(byte[] message) {
      reply.connection().later(() -> reply.message(message).addListener(sent -> call.request(1)));
    }

    @Override
    public void onReady() {
      reply.connection().later(() -> reply.consumed(feed()));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      reply.connection().later(() -> reply.end(status, trailers));
    }
  }
}
