package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client that sends whatever frames a test likes, and confirms nothing. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GO_AWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  static final String ENVOY = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

  private static final int PATIENCE_MILLIS = 20_000;

  /** Many times what any bound allows. */
  private static final int FLOOD = 200_000;

  /** A frame that came. Immutable, as long as nobody writes into its content. */
  static final class Frame {
    private final int type;
    private final int flags;
    private final int streamId;
    private final byte[] content;

    private Frame(int type, int flags, int streamId, byte[] content) {
      this.type = type;
      this.flags = flags;
      this.streamId = streamId;
      this.content = content;
    }

    int type() {
      return type;
    }

    int flags() {
      return flags;
    }

    int streamId() {
      return streamId;
    }

    byte[] content() {
      return content;
    }

    /** Whether the content holds a text as it is: the server never uses Huffman's code on it. */
    boolean holds(String text) {
      return new String(content, ISO_8859_1).contains(text);
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  /** Connects, and says nothing. */
  RawHttp2(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** Says that it speaks HTTP/2. */
  RawHttp2 greet(byte... settings) throws IOException {
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    return send(SETTINGS, 0, 0, settings);
  }

  RawHttp2 send(int type, int flags, int streamId, byte... content) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + content.length);
    frame.put((byte) (content.length >> 16)).putShort((short) content.length);
    frame.put((byte) type).put((byte) flags).putInt(streamId).put(content);
    out.write(frame.array());
    return this;
  }

  RawHttp2 post(int streamId, String path, String... fields) throws IOException {
    return send(HEADERS, END_HEADERS, streamId, head("POST", path, fields));
  }

  /** Sends a message as the last one. */
  RawHttp2 message(int streamId, byte[] message) throws IOException {
    return send(DATA, END_STREAM, streamId, framed(message));
  }

  static byte[] framed(byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** A block of header fields, written out; names and values in turn. */
  static byte[] head(String method, String path, String... fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", method);
    field(block, ":scheme", "http");
    field(block, ":path", path);
    for (int i = 0; i < fields.length; i += 2) {
      field(block, fields[i], fields[i + 1]);
    }
    return block.toByteArray();
  }

  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    if (bytes.length > 126) {
      throw new IllegalArgumentException("text: " + text + " (expected: shorter)");
    }
    block.write(bytes.length);
    block.writeBytes(bytes);
  }

  /** The next frame; null if the server has closed the connection. */
  @Nullable Frame read() throws IOException {
    try {
      int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int streamId = in.readInt();
      return new Frame(type, flags, streamId, in.readNBytes(length));
    } catch (EOFException | SocketException closed) {
      return null;
    }
  }

  /** The next frame of a kind. */
  Frame await(Predicate<Frame> kind) throws IOException {
    for (Frame frame = read(); frame != null; frame = read()) {
      if (kind.test(frame)) {
        return frame;
      }
    }
    throw new AssertionError("the server has closed the connection");
  }

  /** The end of the answer on a stream. */
  Frame end(int streamId) throws IOException {
    return await(
        frame ->
            frame.streamId() == streamId
                && (frame.type() == RESET
                    || (frame.type() == HEADERS && (frame.flags() & END_STREAM) != 0)));
  }

  /** Reads until the server closes. */
  void awaitClose() throws IOException {
    while (read() != null) {}
  }

  /** What a test does over and over. */
  interface Step {
    void take(int number) throws IOException;
  }

  /** Repeats a step, while somebody reads, until the server closes the connection. */
  void flood(Step step) throws Exception {
    FutureTask<Boolean> closed =
        new FutureTask<>(
            () -> {
              awaitClose();
              return true;
            });
    new Thread(closed).start();
    try {
      for (int i = 0; i < FLOOD && !closed.isDone(); i++) {
        step.take(i);
      }
    } catch (SocketException asItShouldBe) {
      // The rest of the test looks whether the server has closed, or only this write failed.
    }
    closed.get();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
