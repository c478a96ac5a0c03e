package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client that sends what it is told to, right or wrong. Confined to one thread. */
final class RespClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  RespClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  RespClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** To serve such clients from any free port. */
  static RespOptions local() {
    return local(/* port= */ 0);
  }

  static RespOptions local(int port) {
    return RespOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  RespClient send(String bytes) throws IOException {
    return send(bytes.getBytes(ISO_8859_1));
  }

  RespClient send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Sends more than fits, while answers are read. */
  CompletableFuture<Void> sendAsync(String bytes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            send(bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  void endInput() throws IOException {
    socket.shutdownOutput();
  }

  /** Sends a command and tells the answer as {@link #read} does. */
  String call(String... arguments) throws IOException {
    return send(array(arguments)).read();
  }

  static String array(String... arguments) {
    StringBuilder text = new StringBuilder("*" + arguments.length + "\r\n");
    for (String argument : arguments) {
      text.append("$" + argument.length() + "\r\n" + argument + "\r\n");
    }
    return text.toString();
  }

  /** An answer as text: {@code +OK}, {@code :1}, {@code [a, :1]}, {@code nil}, {@code EOF}. */
  String read() throws IOException {
    String line = line();
    if (line.isEmpty()) {
      return "EOF";
    }
    return switch (line.charAt(0)) {
      case '$' -> bulk(number(line));
      case '*' -> list(number(line)).toString();
      case '~' -> "set" + list(number(line));
      case '%' -> "map" + list(2 * number(line));
      case '_' -> "nil3";
      default -> line;
    };
  }

  private static int number(String line) {
    return Integer.parseInt(line.substring(1));
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "nil";
    }
    byte[] bytes = in.readNBytes(length);
    line();
    return new String(bytes, ISO_8859_1);
  }

  private List<String> list(int size) throws IOException {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(read());
    }
    return elements;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
