package io.penstock.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One HTTP/2 connection with as many calls under way as it has streams: each answer is followed by
 * the next question. Confined to one thread.
 *
 * <p>It reads no headers: an answer with a message is an answer, one without is an error.
 */
final class GrpcConnection {
  private static final int HEAD = 9;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;
  private static final int FIRST_WINDOW = 65_535;
  private static final int WINDOW_STEP = 1 << 29;

  /** What names the headers again that the first call has named. */
  private static final byte[] INDEXED = {
    (byte) 0x83, (byte) 0x86, (byte) 0xC1, (byte) 0xC0, (byte) 0xBF, (byte) 0xBE
  };

  private final SocketChannel channel;
  private final Question question;
  private final int streams;
  private final GrpcLoad load;
  private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 17);
  private final ByteBuffer out = ByteBuffer.allocateDirect(1 << 17);
  private final boolean[] hasMessage;
  private int nextStream = 1;
  private int idleStreams;
  private long sendWindow = FIRST_WINDOW;
  private long unacknowledged;

  GrpcConnection(SocketChannel channel, Question question, int streams, GrpcLoad load) {
    this.channel = channel;
    this.question = question;
    this.streams = streams;
    this.load = load;
    /* Streams are answered in any order, but none waits for a thousand others. */
    this.hasMessage = new boolean[1 << 16];
  }

  void open() throws IOException {
    out.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    frame(6, SETTINGS, 0, 0).putShort((short) 4).putInt(Integer.MAX_VALUE);
    frame(4, WINDOW_UPDATE, 0, 0).putInt(WINDOW_STEP);
    idleStreams = streams;
    ask();
    send();
  }

  /** Reads what there is and asks again for what was answered. */
  void proceed() throws IOException {
    int count = channel.read(in);
    if (count < 0) {
      throw new EOFException("the server has closed the connection");
    }
    in.flip();
    while (in.remaining() >= HEAD && in.remaining() >= HEAD + length()) {
      read();
    }
    in.compact();
    if (unacknowledged > WINDOW_STEP / 2) {
      frame(4, WINDOW_UPDATE, 0, 0).putInt((int) unacknowledged);
      unacknowledged = 0;
    }
    ask();
    send();
  }

  private int length() {
    return in.getInt(in.position()) >>> 8;
  }

  private void read() throws IOException {
    int length = length();
    int type = in.get(in.position() + 3);
    int flags = in.get(in.position() + 4);
    int stream = in.getInt(in.position() + 5);
    int body = in.position() + HEAD;
    switch (type) {
      case DATA -> {
        unacknowledged += length;
        hasMessage[slot(stream)] |= length > 0;
      }
      case SETTINGS -> {
        if ((flags & ACK) == 0) {
          frame(0, SETTINGS, ACK, 0);
        }
      }
      case PING -> {
        if ((flags & ACK) == 0) {
          frame(8, PING, ACK, 0).putLong(in.getLong(body));
        }
      }
      case WINDOW_UPDATE -> sendWindow += stream == 0 ? in.getInt(body) : 0;
      case GO_AWAY, RESET -> throw new IOException("the server has given up: frame " + type);
      default -> {}
    }
    if ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
      int slot = slot(stream);
      load.answered(hasMessage[slot]);
      idleStreams++;
    }
    in.position(body + length);
  }

  private int slot(int stream) {
    return (stream >> 1) & (hasMessage.length - 1);
  }

  private void ask() {
    while (idleStreams > 0) {
      byte[] message = question.next();
      if (sendWindow < message.length) {
        return;
      }
      byte[] headers = nextStream == 1 ? firstHeaders() : INDEXED;
      frame(headers.length, HEADERS, END_HEADERS, nextStream).put(headers);
      frame(message.length, DATA, END_STREAM, nextStream).put(message);
      sendWindow -= message.length;
      int slot = slot(nextStream);
      hasMessage[slot] = false;
      nextStream += 2;
      idleStreams--;
    }
  }

  private byte[] firstHeaders() {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    headers.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86});
    named(headers, 0x44, "", question.path());
    named(headers, 0x41, "", "bench");
    named(headers, 0x5F, "", "application/grpc");
    named(headers, 0x40, "te", "trailers");
    return headers.toByteArray();
  }

  private static void named(ByteArrayOutputStream headers, int first, String name, String value) {
    headers.write(first);
    if (!name.isEmpty()) {
      headers.write(name.length());
      headers.writeBytes(name.getBytes(US_ASCII));
    }
    headers.write(value.length());
    headers.writeBytes(value.getBytes(US_ASCII));
  }

  private ByteBuffer frame(int length, int type, int flags, int stream) {
    return out.putInt(length << 8 | type).put((byte) flags).putInt(stream);
  }

  private void send() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
    out.clear();
  }
}
