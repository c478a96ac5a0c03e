package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Where an answer is written: a buffer that a generator fills. Confined to one thread. */
final class JsonOutput extends OutputStream {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Buffer buffer;

  private JsonOutput(int bytes) {
    this.buffer = Buffer.buffer(bytes);
  }

  /** Writes one document. */
  @FunctionalInterface
  interface Writing {
    void to(JsonGenerator json) throws IOException;
  }

  /** The document that is written, in UTF-8. */
  static Buffer of(Writing writing) {
    JsonOutput out = new JsonOutput(512);
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      writing.to(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.buffer;
  }

  @Override
  public void write(int b) {
    buffer.appendByte((byte) b);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    buffer.appendBytes(bytes, from, length);
  }
}
