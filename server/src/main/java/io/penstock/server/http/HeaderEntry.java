package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.penstock.server.RawText;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One {@code key:Header-Name} of forward-auth. Immutable.
 *
 * @param key the key of the entry
 * @param source the name of a header field, or {@code @ip}
 */
record HeaderEntry(String key, String source) {
  private static final String ADDRESS = "@ip";
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final String EXPECTED = "key:Header-Name or key:@ip, separated by commas";

  static List<HeaderEntry> parse(String text, Bounds bounds) {
    List<HeaderEntry> entries = new ArrayList<>();
    for (String pair : text.split(",", -1)) {
      int colon = pair.indexOf(':');
      String source = pair.substring(colon + 1);
      if (colon < 1 || !(source.equals(ADDRESS) || TOKEN.matcher(source).matches())) {
        throw Refusal.field("entries", pair, EXPECTED);
      }
      if (entries.size() == bounds.entries()) {
        throw Refusal.field("entries", pair, "at most " + bounds.entries() + " entries");
      }
      String key = Refusal.bounded("entries", pair.substring(0, colon), 1, bounds.keyLength());
      entries.add(new HeaderEntry(key, source));
    }
    return entries;
  }

  /** What the request has, of so many bytes at most; null if it has nothing. */
  @Nullable String value(HttpServerRequest request, ClientAddress address, int bytesMax) {
    if (source.equals(ADDRESS)) {
      SocketAddress peer = request.remoteAddress();
      return address.find(inet(peer), request.headers().getAll("X-Forwarded-For"));
    }
    List<String> values = request.headers().getAll(source);
    if (values.isEmpty()) {
      return null;
    }
    String latin1 = String.join(", ", values);
    if (latin1.length() > bytesMax) {
      throw Refusal.field(source, latin1.length() + " bytes", "0.." + bytesMax + " bytes");
    }
    /* Header fields are read byte by byte. */
    return RawText.of(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static @Nullable InetAddress inet(@Nullable SocketAddress peer) {
    return peer == null || !peer.isInetSocket() ? null : ClientAddress.parse(peer.hostAddress());
  }
}
