package io.penstock.cluster;

import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A connection to another node that TLS has refused, on this side or on the other. */
final class DistrustException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Some messages hold all that was received. */
  private static final int LENGTH_MAX = 120;

  private DistrustException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What TLS said, if a failure comes from that; else null. */
  static @Nullable DistrustException of(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SSLException) {
        String said = String.valueOf(first(each).getMessage());
        int length = Math.min(said.length(), LENGTH_MAX);
        return new DistrustException("tls: " + said.substring(0, length), failure);
      }
    }
    return null;
  }

  /** What is behind it all: whoever speaks of it later only says that something was wrong. */
  private static Throwable first(Throwable failure) {
    Throwable first = failure;
    for (Throwable each = failure.getCause(); each != null; each = each.getCause()) {
      first = each;
    }
    return first;
  }
}
