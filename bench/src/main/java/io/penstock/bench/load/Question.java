package io.penstock.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;

/**
 * A unary call whose key has seven digits, another one each time. Confined to one thread.
 *
 * <p>The message is made once; each call writes other digits into it.
 */
final class Question {
  private static final int DIGITS = 7;
  private static final int PREFIX = 5;

  private final String path;
  private final byte[] message;
  private final int digitsAt;
  private final int keys;
  private final SplittableRandom random = new SplittableRandom(1);

  private Question(String path, byte[] body, int keys) {
    this.path = path;
    this.keys = keys;
    this.message = new byte[PREFIX + body.length];
    message[PREFIX - 1] = (byte) body.length;
    System.arraycopy(body, 0, message, PREFIX, body.length);
    this.digitsAt = new String(message, US_ASCII).indexOf("0".repeat(DIGITS));
  }

  static Question named(String name, int keys) {
    return switch (name) {
      case "rls" -> rls(keys);
      case "throttlecrab" -> throttlecrab(keys);
      default ->
          throw new IllegalArgumentException(
              "question: " + name + " (expected: rls or throttlecrab)");
    };
  }

  /** Envoy's question: the domain bench, one descriptor with one entry. */
  private static Question rls(int keys) {
    byte[] entry = join(text(1, "user"), text(2, "0".repeat(DIGITS)));
    byte[] descriptor = nested(1, entry);
    byte[] body = join(text(1, "bench"), nested(2, descriptor));
    return new Question("/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit", body, keys);
  }

  /** ThrottleCrab's own question: a million of burst, 60 per hour. */
  private static Question throttlecrab(int keys) {
    byte[] burst = {0x10, (byte) 0xC0, (byte) 0x84, 0x3D};
    byte[] count = {0x18, 60};
    byte[] period = {0x20, (byte) 0x90, 0x1C};
    byte[] quantity = {0x28, 1};
    byte[] key = text(1, "user:" + "0".repeat(DIGITS));
    return new Question(
        "/throttlecrab.RateLimiter/Throttle", join(key, burst, count, period, quantity), keys);
  }

  String path() {
    return path;
  }

  /** The next message, with the five bytes that gRPC puts before it; changes with the next. */
  byte[] next() {
    int key = random.nextInt(keys);
    for (int i = DIGITS - 1; i >= 0; i--) {
      message[digitsAt + i] = (byte) ('0' + key % 10);
      key /= 10;
    }
    return message;
  }

  private static byte[] text(int field, String value) {
    return nested(field, value.getBytes(US_ASCII));
  }

  private static byte[] nested(int field, byte[] bytes) {
    byte[] head = {(byte) (field << 3 | 2), (byte) bytes.length};
    return join(head, bytes);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
