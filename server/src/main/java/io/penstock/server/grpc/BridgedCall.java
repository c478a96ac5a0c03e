package io.penstock.server.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.ReflectableMarshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;

/**
 * A call whose messages go over the bridge, in both directions, one at a time: no side is sent more
 * than it asks for. Confined to the event loop of its connection; what comes back from the bridge
 * goes there first.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be sent has nobody who waits for it.
final class BridgedCall<Q> implements Call {
  private final MethodDescriptor<Q, byte[]> method;
  private final ClientCall<Q, byte[]> call;
  private final Reply reply;
  private final Messages messages;
  private int unreturned;
  private boolean isWhole;
  private boolean halfClosed;

  /** Whether the bridge has said everything, though the event loop may not have sent it. */
  private volatile boolean isOver;

  BridgedCall(
      MethodDescriptor<Q, byte[]> method,
      ClientCall<Q, byte[]> call,
      Reply reply,
      Messages messages) {
    this.method = method;
    this.call = call;
    this.reply = reply;
    this.messages = messages;
  }

  Call start(Metadata metadata) {
    call.start(new Answers(), metadata);
    call.request(1);
    return this;
  }

  @Override
  public int read(ByteBuf data, boolean isLast) {
    int length = data.readableBytes();
    if (hasEnded()) {
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

  private boolean hasEnded() {
    return isOver || reply.hasEnded();
  }

  /** Sends what the service is ready for; tells how many bytes are dealt with. */
  private int feed() {
    try {
      if (method.getType().clientSendsOneMessage()) {
        sendOnly();
      } else if (!sendAll()) {
        return 0;
      }
    } catch (StatusRuntimeException e) {
      fail(e.getStatus());
    }
    int returned = unreturned;
    unreturned = 0;
    return returned;
  }

  private void sendOnly() {
    if (isWhole && !halfClosed && !hasEnded()) {
      send(messages.only());
      halfClose();
    }
  }

  /** Tells whether the service was ready for all that has come. */
  private boolean sendAll() {
    while (!hasEnded() && messages.isNextWhole()) {
      if (!call.isReady()) {
        return false;
      }
      byte[] message = messages.next();
      if (message != null) {
        send(message);
      }
    }
    if (isWhole && !halfClosed && !hasEnded()) {
      if (!messages.isEmpty()) {
        throw Messages.cutShort();
      }
      halfClose();
    }
    return true;
  }

  private void send(byte[] message) {
    Q read;
    try {
      read = method.parseRequest(new ByteArrayInputStream(message));
    } catch (StatusRuntimeException e) {
      throw Messages.unreadable(message, type());
    }
    call.sendMessage(read);
  }

  /** Only messages of protobuf can be unreadable, and they know their type. */
  private Class<?> type() {
    return ((ReflectableMarshaller<Q>) method.getRequestMarshaller()).getMessageClass();
  }

  private void halfClose() {
    halfClosed = true;
    call.halfClose();
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
      isOver = true;
      // The bridge would tell how it was asked; the client has a deadline and no more.
      boolean isTooLate = status.getCode() == Status.Code.DEADLINE_EXCEEDED;
      Status told = isTooLate ? Calls.TOO_LATE : status;
      reply.connection().later(() -> reply.end(told, trailers));
    }
  }
}
