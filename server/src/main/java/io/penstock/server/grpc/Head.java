package io.penstock.server.grpc;

import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the header fields of a call say. Pure functions. */
final class Head {
  static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  static final AsciiString GRPC = AsciiString.cached("application/grpc");
  static final AsciiString ACCEPTED = AsciiString.cached("grpc-accept-encoding");

  private static final AsciiString GRPC_PROTO = AsciiString.cached("application/grpc+proto");
  private static final AsciiString POST = AsciiString.cached("POST");
  private static final AsciiString ENCODING = AsciiString.cached("grpc-encoding");
  private static final AsciiString IDENTITY = AsciiString.cached("identity");
  private static final AsciiString GZIP = AsciiString.cached("gzip");
  private static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");
  private static final int TIMEOUT_DIGITS = 8;

  private Head() {}

  static boolean isPost(Http2Headers headers) {
    return POST.contentEquals(headers.method());
  }

  /** Whether the content is gRPC, with messages of protobuf: no others are understood. */
  static boolean isGrpc(Http2Headers headers) {
    CharSequence type = headers.get(CONTENT_TYPE);
    return type != null && (is(type, GRPC) || is(type, GRPC_PROTO));
  }

  /** Whether a content type is this one, with or without parameters. */
  private static boolean is(CharSequence type, AsciiString wanted) {
    int length = wanted.length();
    return AsciiString.of(type).startsWith(wanted)
        && (type.length() == length || type.charAt(length) == ';');
  }

  /** Whether messages that say so are compressed by gzip. */
  static boolean isGzip(Http2Headers headers) {
    CharSequence encoding = headers.get(ENCODING);
    if (encoding == null || IDENTITY.contentEquals(encoding)) {
      return false;
    }
    if (GZIP.contentEquals(encoding)) {
      return true;
    }
    Metadata accepted = new Metadata();
    accepted.put(
        Metadata.Key.of(ACCEPTED.toString(), Metadata.ASCII_STRING_MARSHALLER), "identity,gzip");
    throw Status.UNIMPLEMENTED
        .withDescription(ENCODING + ": " + encoding + " (expected: identity, gzip)")
        .asRuntimeException(accepted);
  }

  /** Until when somebody waits for the answer; null for ever. */
  static @Nullable Deadline deadline(Http2Headers headers) {
    CharSequence timeout = headers.get(TIMEOUT);
    if (timeout == null) {
      return null;
    }
    int digits = timeout.length() - 1;
    long value = 0;
    for (int i = 0; i < digits; i++) {
      int digit = timeout.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw badTimeout(timeout);
      }
      value = value * 10 + digit;
    }
    if (digits < 1 || digits > TIMEOUT_DIGITS) {
      throw badTimeout(timeout);
    }
    return Deadline.after(value, unit(timeout));
  }

  private static TimeUnit unit(CharSequence timeout) {
    return switch (timeout.charAt(timeout.length() - 1)) {
      case 'n' -> TimeUnit.NANOSECONDS;
      case 'u' -> TimeUnit.MICROSECONDS;
      case 'm' -> TimeUnit.MILLISECONDS;
      case 'S' -> TimeUnit.SECONDS;
      case 'M' -> TimeUnit.MINUTES;
      case 'H' -> TimeUnit.HOURS;
      default -> throw badTimeout(timeout);
    };
  }

  private static RuntimeException badTimeout(CharSequence timeout) {
    String expected = " (expected: 1 to 8 digits and one of H, M, S, m, u, n)";
    return Status.INTERNAL
        .withDescription(TIMEOUT + ": " + timeout + expected)
        .asRuntimeException();
  }
}
