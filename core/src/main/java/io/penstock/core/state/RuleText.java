package io.penstock.core.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A rule in words that any limiter can read: the name of its algorithm and its limit as text. */
final class RuleText {
  private RuleText() {}

  static long[] words(Rule rule) {
    byte[] text = (rule.algorithm().name() + " " + rule.limit()).getBytes(UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate((text.length + Long.BYTES) / Long.BYTES * Long.BYTES);
    bytes.put(text).rewind();
    long[] words = new long[bytes.capacity() / Long.BYTES];
    bytes.asLongBuffer().get(words);
    return words;
  }

  /** The rule that words tell of, or null if they make no sense; asks for some algorithm first. */
  static @Nullable Rule read(long[] state, int from, int length, Algorithm known) {
    ByteBuffer bytes = ByteBuffer.allocate(length * Long.BYTES);
    bytes.asLongBuffer().put(state, from, length);
    String text = new String(bytes.array(), UTF_8).trim();
    int space = text.indexOf(' ');
    if (space < 0) {
      return null;
    }
    String name = text.substring(0, space);
    try {
      Algorithm algorithm = name.equals(known.name()) ? known : Algorithm.named(name);
      Limit limit = Limit.parse(text.substring(space + 1));
      return new Rule(/* serial= */ 0, limit, algorithm, /* slot= */ 0, /* sinceNanos= */ 0);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
