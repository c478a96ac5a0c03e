package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.net.SocketFactory;

/** A connection that sends whatever it is told, byte for byte. */
final class RawSocket implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})");

  /** Ends a conversation: its answer is the last, and the server closes then. */
  static final String LAST = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private final Socket socket;

  RawSocket(int port) throws IOException {
    this(SocketFactory.getDefault(), port);
  }

  RawSocket(SocketFactory factory, int port) throws IOException {
    socket = factory.createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  RawSocket send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    return this;
  }

  /** Says that nothing more will be sent, as {@code nc -N} does; answers can still come. */
  RawSocket endSending() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** All that comes until the server closes. */
  String readToEnd() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      InputStream in = socket.getInputStream();
      for (int b = in.read(); b >= 0; b = in.read()) {
        all.write(b);
      }
    } catch (SocketException reset) {
      // A server that closes with bytes unread resets; what it said before counts.
    }
    return all.toString(ISO_8859_1);
  }

  /** What comes until this text has come. */
  String readUntil(String end) throws IOException {
    StringBuilder all = new StringBuilder();
    while (all.indexOf(end) < 0) {
      int b = socket.getInputStream().read();
      if (b < 0) {
        throw new IOException("closed after: " + all);
      }
      all.append((char) b);
    }
    return all.toString();
  }

  /** Waits for so long whether the server closes; it must say nothing. */
  boolean isOpenFor(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      int b = socket.getInputStream().read();
      if (b >= 0) {
        throw new IllegalStateException("answered: " + (char) b + readToEnd());
      }
      return false;
    } catch (SocketTimeoutException open) {
      return true;
    } catch (SocketException reset) {
      return false;
    } finally {
      socket.setSoTimeout(PATIENCE_MILLIS);
    }
  }

  static List<Integer> statuses(String answers) {
    return STATUS.matcher(answers).results().map(RawSocket::status).toList();
  }

  private static int status(MatchResult match) {
    return Integer.parseInt(match.group(1));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
