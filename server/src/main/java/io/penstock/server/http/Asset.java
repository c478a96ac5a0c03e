package io.penstock.server.http;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A file that comes with the server. Immutable. */
final class Asset {
  private static final CharSequence SECURITY_POLICY = "Content-Security-Policy";

  /** Its own script, style and requests; in nobody's frame. */
  private static final CharSequence OWN_ONLY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  private final String type;
  private final Buffer content;

  private Asset(String type, Buffer content) {
    this.type = type;
    this.content = content;
  }

  /** Reads a file that lies beside this class. */
  static Asset read(String name, String type) {
    try (InputStream in = Asset.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource: " + name + " (expected: beside the classes)");
      }
      return new Asset(type, Buffer.buffer(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void send(Exchange exchange) {
    exchange.with(SECURITY_POLICY, OWN_ONLY);
    exchange.with("X-Frame-Options", "DENY");
    exchange.send(200, type, content.copy());
  }
}
