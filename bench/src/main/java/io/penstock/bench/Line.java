package io.penstock.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A connection of text, on which a question waits for the answer before. Confined to one thread.
 */
final class Line implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 1_000;
  private static final String LENGTH = "content-length:";

  private final String address;
  private final Socket socket = new Socket();
  private final BufferedReader in;
  private final OutputStream out;

  Line(String address) throws IOException {
    this.address = address;
    int colon = address.indexOf(':');
    int port = Integer.parseInt(address.substring(colon + 1));
    socket.connect(new InetSocketAddress(address.substring(0, colon), port), PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    out = socket.getOutputStream();
  }

  /**
   * What is answered over HTTP, without its head.
   *
   * @param head further fields, each with its end of line
   */
  String ask(String method, String path, String body, String head) throws IOException {
    send(
        ("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s"
                + "Content-Length: %d\r\n\r\n%s")
            .formatted(method, path, address, head, body.length(), body));
    int length = 0;
    for (String field = read(); !field.isEmpty(); field = read()) {
      if (field.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(field.substring(LENGTH.length()).strip());
      }
    }
    return read(length);
  }

  void send(String text) throws IOException {
    out.write(text.getBytes(US_ASCII));
  }

  String read() throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new EOFException("the connection ended (expected: an answer)");
    }
    return line;
  }

  private String read(int length) throws IOException {
    char[] text = new char[length];
    for (int at = 0; at < length; ) {
      int count = in.read(text, at, length - at);
      if (count < 0) {
        throw new EOFException("the connection ended (expected: " + length + " characters)");
      }
      at += count;
    }
    return new String(text);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
