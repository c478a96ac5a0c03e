package io.penstock.server.node;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The id of a reservation or a lease: it tells which shard keeps it. Immutable. */
public record HoldingId(long hash, long check) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 2 * Long.BYTES;

  /** How long it is in letters: six bits each. */
  static final int CHARS = 22;

  /** The id that a text tells; null if it tells none. */
  public static @Nullable HoldingId parse(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      ByteBuffer words = ByteBuffer.wrap(bytes);
      return bytes.length == BYTES ? new HoldingId(words.getLong(), words.getLong()) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** An id that nobody can guess, in the shard of a key. */
  public static HoldingId of(long key) {
    long hash = Signature.withShard(RANDOM.nextLong(), Signature.shard(key));
    return new HoldingId(hash, RANDOM.nextLong());
  }

  public int shard() {
    return Signature.shard(hash);
  }

  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(BYTES).putLong(hash).putLong(check).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
