package io.penstock.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.regex.Pattern;

/** One node of a cluster, whatever product it is. Confined to one thread. */
interface Door {
  /** What a key is worth for a day. */
  int LIMIT = 2_000;

  int PATIENCE_MILLIS = 1_000;

  String LENGTH = "content-length:";

  /** Whether the node admits one more; throws if it does not answer, or says that it cannot. */
  boolean isAdmitted(int key) throws IOException;

  static Door of(String kind, String address) throws IOException {
    return switch (kind) {
      case "Penstock" ->
          http(
              address + "/v1/check",
              "{\"domain\":\"bench\",\"descriptors\":[[{\"key\":\"strict\",\"value\":\"%d\"}]]}",
              "\"allowed\":true",
              "\"reason\":\"fail");
      case "Gubernator" ->
          http(
              address + "/v1/GetRateLimits",
              "{\"requests\":[{\"name\":\"bench\",\"unique_key\":\"%d\",\"hits\":1,\"limit\":"
                  + LIMIT
                  + ",\"duration\":86400000}]}",
              "\"UNDER_LIMIT\"",
              "\"error\":\"[^\"]");
      case "Redis" -> redis(address);
      default ->
          throw new IllegalArgumentException(
              "product: " + kind + " (expected: Penstock, Gubernator or Redis)");
    };
  }

  private static Door http(String url, String body, String admitted, String unable)
      throws IOException {
    int slash = url.indexOf('/');
    Line line = new Line(url.substring(0, slash));
    Pattern failure = Pattern.compile(unable);
    return key -> {
      String question = body.formatted(key);
      line.send(
          ("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                  + "Content-Length: %d\r\n\r\n%s")
              .formatted(
                  url.substring(slash), url.substring(0, slash), question.length(), question));
      int length = 0;
      for (String head = line.read(); !head.isEmpty(); head = line.read()) {
        if (head.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
          length = Integer.parseInt(head.substring(LENGTH.length()).strip());
        }
      }
      String answer = line.read(length);
      if (failure.matcher(answer).find()) {
        line.close();
        throw new IOException(answer);
      }
      return answer.contains(admitted);
    };
  }

  /** Counts in a script, as people write it. */
  private static Door redis(String address) throws IOException {
    Line line = new Line(address);
    String script =
        "local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('EXPIRE', KEYS[1], 86400)"
            + " end if n <= "
            + LIMIT
            + " then return 1 end return 0";
    return key -> {
      String name = "bench:" + key;
      line.send(
          "*4\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n1\r\n$%d\r\n%s\r\n"
              .formatted(script.length(), script, name.length(), name));
      String answer = line.read();
      if (answer.startsWith("-")) {
        line.close();
        throw new IOException("redis: " + answer + " (expected: a number)");
      }
      return answer.equals(":1");
    };
  }

  /** A connection of text. Confined to one thread. */
  final class Line implements AutoCloseable {
    private final Socket socket = new Socket();
    private final BufferedReader in;
    private final OutputStream out;

    Line(String address) throws IOException {
      int colon = address.indexOf(':');
      int port = Integer.parseInt(address.substring(colon + 1));
      socket.connect(new InetSocketAddress(address.substring(0, colon), port), PATIENCE_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      out = socket.getOutputStream();
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

    String read(int length) throws IOException {
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
}
