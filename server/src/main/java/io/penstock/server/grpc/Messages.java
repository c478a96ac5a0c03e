package io.penstock.server.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Cuts what comes on a stream into messages. Confined to the event loop of its connection. */
final class Messages {
  /** Before each message stand a flag and its length. */
  static final int PREFIX = 5;

  /** How much may come at once before anybody says that it is enough. */
  static final int WINDOW = 65_535;

  private static final byte[] NOTHING = {};

  private final int most;
  private final boolean gzip;
  private byte[] bytes = NOTHING;
  private int from;
  private int to;

  /**
   * @param most bytes of a message
   * @param gzip whether messages may be compressed
   */
  Messages(int most, boolean gzip) {
    this.most = most;
    this.gzip = gzip;
  }

  /** A message behind its prefix. */
  static byte[] framed(MessageLite message) {
    int length = message.getSerializedSize();
    byte[] framed = new byte[PREFIX + length];
    CodedOutputStream out = CodedOutputStream.newInstance(framed);
    try {
      out.writeRawByte(0);
      out.writeFixed32NoTag(Integer.reverseBytes(length));
      message.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return framed;
  }

  void add(ByteBuf data) {
    int length = data.readableBytes();
    int held = to - from;
    if (held + length > PREFIX + most + WINDOW) {
      throw tooLarge("more");
    }
    if (to + length > bytes.length) {
      byte[] larger = new byte[held == 0 ? length : Math.max(2 * held, held + length)];
      System.arraycopy(bytes, from, larger, 0, held);
      bytes = larger;
      from = 0;
      to = held;
    }
    data.readBytes(bytes, to, length);
    to += length;
    length();
  }

  /** Whether nothing is left, not even a part of a message. */
  boolean isEmpty() {
    return from == to;
  }

  /** Whether {@link #next} has a message. */
  boolean isNextWhole() {
    return to - from - PREFIX >= length();
  }

  /** The next message; null if it has not come, or not as a whole. */
  byte @Nullable [] next() {
    if (!isNextWhole()) {
      return null;
    }
    int end = from + PREFIX + length();
    int flag = bytes[from];
    if (flag != 0 && !(flag == 1 && gzip)) {
      throw broken("flag: " + flag + " (expected: " + (gzip ? "0, 1)" : "0)"));
    }
    byte[] message = Arrays.copyOfRange(bytes, from + PREFIX, end);
    from = end;
    if (isEmpty()) {
      bytes = NOTHING;
      from = 0;
      to = 0;
    }
    return flag == 0 ? message : inflated(message);
  }

  /** The message of a client that has said everything, and had one to send. */
  byte[] only() {
    byte[] message = next();
    if (message == null) {
      throw isEmpty() ? wrong("messages: 0 (expected: 1)") : cutShort();
    }
    if (!isEmpty()) {
      throw wrong("messages: more than 1 (expected: 1)");
    }
    return message;
  }

  /** The length that the next message says it has, if it says so yet. */
  private int length() {
    if (to - from < PREFIX) {
      return 0;
    }
    int length =
        (bytes[from + 1] & 0xFF) << 24
            | (bytes[from + 2] & 0xFF) << 16
            | (bytes[from + 3] & 0xFF) << 8
            | (bytes[from + 4] & 0xFF);
    if (length < 0 || length > most) {
      throw tooLarge(Integer.toUnsignedString(length));
    }
    return length;
  }

  /** A small message may stand for a huge one: no more is inflated than could have been sent. */
  private byte[] inflated(byte[] message) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(message))) {
      byte[] plain = in.readNBytes(most);
      if (in.read() >= 0) {
        throw tooLarge("more");
      }
      return plain;
    } catch (IOException e) {
      throw wrong("message: " + message.length + " unreadable bytes (expected: gzip)");
    }
  }

  private RuntimeException tooLarge(String length) {
    return Status.RESOURCE_EXHAUSTED
        .withDescription("message: " + length + " bytes (expected: <= " + most + ")")
        .asRuntimeException();
  }

  /** The end of a client's messages came amid one. */
  static RuntimeException cutShort() {
    return wrong("message: cut short (expected: a whole one)");
  }

  /** A message that is none of its type. */
  static RuntimeException unreadable(byte[] message, Class<?> type) {
    String bytes = "message: " + message.length + " unreadable bytes";
    return wrong(bytes + " (expected: a " + type.getSimpleName() + ")");
  }

  private static RuntimeException wrong(String why) {
    return Status.INVALID_ARGUMENT.withDescription(why).asRuntimeException();
  }

  /** What gRPC itself is told by, a flag or a field, is not as it must be. */
  static RuntimeException broken(String why) {
    return Status.INTERNAL.withDescription(why).asRuntimeException();
  }
}
