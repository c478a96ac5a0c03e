package io.penstock.server.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of another node that become values. Throws {@link MalformedException} for all that {@link
 * Packing} does not write, and never takes more memory than a few times the bytes. Confined to one
 * thread.
 */
final class Unpacking {
  private final ByteBuffer bytes;

  Unpacking(byte[] bytes) {
    if (bytes.length > Packing.BYTES_MAX) {
      throw new MalformedException("bytes", bytes.length, "<= " + Packing.BYTES_MAX);
    }
    this.bytes = ByteBuffer.wrap(bytes);
  }

  private void need(String name, long count) {
    if (bytes.remaining() < count) {
      throw new MalformedException(
          name, bytes.remaining() + " bytes left", "at least " + count + " more");
    }
  }

  int number(String name) {
    need(name, Byte.BYTES);
    return bytes.get();
  }

  /** The number of the format that all begins with: who reads another does not guess the rest. */
  void format(int expected) {
    int format = number("format");
    if (format != expected) {
      throw new MalformedException("format", format, expected + "; another version wrote it");
    }
  }

  int whole(String name) {
    need(name, Integer.BYTES);
    return bytes.getInt();
  }

  long wide(String name) {
    need(name, Long.BYTES);
    return bytes.getLong();
  }

  boolean truth(String name) {
    int value = number(name);
    if (value != 0 && value != 1) {
      throw new MalformedException(name, value, "0 or 1");
    }
    return value == 1;
  }

  /** One of several, by its place among them. */
  <T> T choice(String name, T[] choices) {
    int place = number(name);
    if (place < 0 || place >= choices.length) {
      throw new MalformedException(name, place, "0.." + (choices.length - 1));
    }
    return choices[place];
  }

  /** One of a few, by its name. */
  <E extends Enum<E>> E word(String name, Class<E> words) {
    String word = text(name);
    for (E each : words.getEnumConstants()) {
      if (each.name().equals(word)) {
        return each;
      }
    }
    throw new MalformedException(name, word, List.of(words.getEnumConstants()).toString());
  }

  String text(String name) {
    int told = whole(name);
    boolean narrow = told >= 0;
    int length = narrow ? told : ~told;
    need(name, narrow ? length : 2L * length);
    char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      chars[i] = narrow ? (char) (bytes.get() & 0xff) : bytes.getChar();
    }
    return new String(chars);
  }

  @Nullable String textOrNone(String name) {
    return truth(name) ? text(name) : null;
  }

  byte[] raw(String name) {
    int length = whole(name);
    need(name, length < 0 ? Integer.MAX_VALUE : length);
    byte[] content = new byte[length];
    bytes.get(content);
    return content;
  }

  /** A list whose elements take a byte each at the least. */
  <T> List<T> list(String name, Function<Unpacking, T> each) {
    int size = whole(name);
    need(name, size < 0 ? Integer.MAX_VALUE : size);
    List<T> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(each.apply(this));
    }
    return list;
  }

  /** A number that ends the text; 0 if it ends without. */
  long rest(String name) {
    return bytes.hasRemaining() ? wide(name) : 0;
  }

  /** Nothing may follow. */
  void end() {
    if (bytes.hasRemaining()) {
      throw new MalformedException("end", bytes.remaining() + " bytes more", "none");
    }
  }
}
