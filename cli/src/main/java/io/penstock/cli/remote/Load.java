package io.penstock.cli.remote;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/** What a bench asks, and how it reads the answers. Immutable. */
sealed interface Load {
  byte[] request(SplittableRandom random);

  /** Reads one answer; true if it is a denial. */
  boolean readDenied(BufferedInputStream in) throws IOException;

  /** {@code CL.THROTTLE} of a random key. */
  record Throttle(int keys) implements Load {
    @Override
    public byte[] request(SplittableRandom random) {
      String key = "user:" + random.nextInt(keys);
      return ("*5\r\n$11\r\nCL.THROTTLE\r\n$"
              + key.length()
              + "\r\n"
              + key
              + "\r\n$2\r\n15\r\n$2\r\n30\r\n$2\r\n60\r\n")
          .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public boolean readDenied(BufferedInputStream in) throws IOException {
      String head = line(in);
      if (!head.equals("*5")) {
        throw new IOException("answer: " + head + " (expected: five numbers)");
      }
      boolean denied = line(in).equals(":1");
      for (int i = 0; i < 4; i++) {
        line(in);
      }
      return denied;
    }
  }

  /** A check of a random user over HTTP. */
  record Http(String domain, int keys) implements Load {
    @Override
    public byte[] request(SplittableRandom random) {
      String body =
          "{\"domain\":\"%s\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"%d\"}]]}"
              .formatted(domain, random.nextInt(keys));
      int length = body.getBytes(StandardCharsets.UTF_8).length;
      return ("POST /v1/check HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
              + "Content-Length: "
              + length
              + "\r\n\r\n"
              + body)
          .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean readDenied(BufferedInputStream in) throws IOException {
      String status = line(in);
      int length = 0;
      for (String field = line(in); !field.isEmpty(); field = line(in)) {
        if (field.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(field.substring(15).strip());
        }
      }
      byte[] body = in.readNBytes(length);
      if (!status.startsWith("HTTP/1.1 200")) {
        throw new IOException("answer: " + status + " (expected: HTTP/1.1 200)");
      }
      return new String(body, StandardCharsets.UTF_8).startsWith("{\"allowed\":false");
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
