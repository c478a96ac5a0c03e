package io.penstock.server.cluster;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Values that become bytes for another node. Confined to one thread. */
final class Packing {
  /** More than any question or answer within the bounds of the protocols needs. */
  static final int BYTES_MAX = 4 << 20;

  private ByteBuffer bytes = ByteBuffer.allocate(256);

  private void room(int more) {
    if (bytes.remaining() < more) {
      long size = (long) bytes.position() + more;
      if (size > BYTES_MAX) {
        throw new IllegalArgumentException(
            "question or answer: " + size + " bytes (expected: <= " + BYTES_MAX + ")");
      }
      bytes = ByteBuffer.allocate((int) Math.min(2 * size, BYTES_MAX)).put(bytes.flip());
    }
  }

  Packing number(int value) {
    room(Byte.BYTES);
    bytes.put((byte) value);
    return this;
  }

  Packing whole(int value) {
    room(Integer.BYTES);
    bytes.putInt(value);
    return this;
  }

  Packing wide(long value) {
    room(Long.BYTES);
    bytes.putLong(value);
    return this;
  }

  Packing truth(boolean value) {
    return number(value ? 1 : 0);
  }

  /* Every char as it is, in one byte if all fit one: half a pair is itself, as in a key's hash. */
  Packing text(String text) {
    int length = text.length();
    boolean narrow = true;
    for (int i = 0; i < length && narrow; i++) {
      narrow = text.charAt(i) <= 0xff;
    }
    whole(narrow ? length : ~length);
    room(narrow ? length : Math.multiplyExact(2, length));
    for (int i = 0; i < length; i++) {
      if (narrow) {
        bytes.put((byte) text.charAt(i));
      } else {
        bytes.putChar(text.charAt(i));
      }
    }
    return this;
  }

  /** One of a few, by its name. */
  Packing word(Enum<?> value) {
    return text(value.name());
  }

  Packing textOrNone(@Nullable String text) {
    truth(text != null);
    return text == null ? this : text(text);
  }

  Packing raw(byte[] content) {
    whole(content.length);
    room(content.length);
    bytes.put(content);
    return this;
  }

  <T> Packing list(List<T> list, BiConsumer<T, Packing> each) {
    whole(list.size());
    for (T element : list) {
      each.accept(element, this);
    }
    return this;
  }

  /** A number that ends the text, and is left out if it is 0: older nodes do not know it. */
  Packing rest(long value) {
    return value == 0 ? this : wide(value);
  }

  byte[] done() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
