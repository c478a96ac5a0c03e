package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Metadata and statuses of gRPC as header fields of HTTP/2, and back. Pure functions. */
final class Fields {
  /** What begins every answer that has a message. */
  static final Http2Headers BEGIN =
      ReadOnlyHttp2Headers.serverHeaders(
          /* validateHeaders= */ false, AsciiString.cached("200"), Head.CONTENT_TYPE, Head.GRPC);

  private static final AsciiString STATUS = AsciiString.cached("grpc-status");
  private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");

  private static final String BINARY = "-bin";

  /** What belongs to this hop and not to the call. */
  private static final Set<String> OWN =
      Set.of(
          "content-type",
          "content-length",
          "te",
          "grpc-encoding",
          "grpc-accept-encoding",
          "grpc-timeout",
          "grpc-status",
          "grpc-message");

  private static final Base64.Encoder TO_TEXT = Base64.getEncoder().withoutPadding();
  private static final String HEX = "0123456789ABCDEF";

  private Fields() {}

  /** What a call brings along. */
  static Metadata metadata(Http2Headers headers) {
    Metadata metadata = new Metadata();
    for (Map.Entry<CharSequence, CharSequence> field : headers) {
      String name = field.getKey().toString();
      if (!name.startsWith(":") && !OWN.contains(name)) {
        put(metadata, name, field.getValue().toString());
      }
    }
    return metadata;
  }

  private static void put(Metadata metadata, String name, String value) {
    if (!name.endsWith(BINARY)) {
      if (isName(name)) {
        metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
      }
      return;
    }
    for (String each : value.split(",", -1)) {
      try {
        byte[] bytes = Base64.getDecoder().decode(each.strip());
        metadata.put(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER), bytes);
      } catch (IllegalArgumentException e) {
        throw Messages.broken(name + ": not what it is named (expected: base64)");
      }
    }
  }

  /** HTTP knows more names than gRPC; nobody can ask for the others. */
  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!isLetter && c != '-' && c != '_' && c != '.') {
        return false;
      }
    }
    return true;
  }

  /** What begins an answer with metadata of its own. */
  static Http2Headers begin(Metadata metadata) {
    Http2Headers headers =
        new DefaultHttp2Headers(/* validateHeaders= */ false)
            .status(BEGIN.status())
            .set(Head.CONTENT_TYPE, Head.GRPC);
    return add(headers, metadata);
  }

  /** How a call ends, behind whatever an answer began with. */
  static Http2Headers end(Http2Headers headers, Status status, Metadata trailers) {
    headers.set(STATUS, Integer.toString(status.getCode().value()));
    String description = status.getDescription();
    if (description != null) {
      headers.set(MESSAGE, percentEncoded(description));
    }
    return add(headers, trailers);
  }

  private static Http2Headers add(Http2Headers headers, Metadata metadata) {
    for (String name : metadata.keys()) {
      if (name.endsWith(BINARY)) {
        for (byte[] value : all(metadata, Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER))) {
          headers.add(name, TO_TEXT.encodeToString(value));
        }
      } else if (!OWN.contains(name) || Head.ACCEPTED.contentEquals(name)) {
        for (String value :
            all(metadata, Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER))) {
          headers.add(name, value);
        }
      }
    }
    return headers;
  }

  private static <T> Iterable<T> all(Metadata metadata, Metadata.Key<T> key) {
    Iterable<T> values = metadata.getAll(key);
    return values == null ? List.of() : values;
  }

  /** Words may hold anything; a header field may not. */
  static String percentEncoded(String words) {
    StringBuilder text = new StringBuilder(words.length());
    for (byte each : words.getBytes(UTF_8)) {
      if (each >= ' ' && each <= '~' && each != '%') {
        text.append((char) each);
      } else {
        text.append('%').append(HEX.charAt(each >> 4 & 0xF)).append(HEX.charAt(each & 0xF));
      }
    }
    return text.toString();
  }
}
