package io.penstock.server.policy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What SQLite's index of a write-ahead log tells of it after a kill: how much had been committed,
 * which alone tells a damaged log from one whose last transaction was cut short. Immutable.
 *
 * <p>The index is shared memory in a file (sqlite.org/walformat.html#walidxfmt): its head comes
 * twice, then how much of the log is in the database by now. A commit is written there when it is
 * synced, so after a power cut too the index never tells of more than the log held.
 *
 * @param salt of the log that it is of
 * @param frames how many of the log are committed
 * @param copied how many of those the database has
 */
record WalIndex(long salt, int frames, int copied) {
  private static final int FORMAT = 3_007_000;
  private static final int HEAD_BYTES = 48;
  private static final int FRAMES_AT = 16;
  private static final int SALT_AT = 32;
  private static final int SUM_AT = 40;
  private static final int COPIED_AT = 2 * HEAD_BYTES;

  /** What a file tells; null if it is not there, or not whole. */
  static @Nullable WalIndex read(Path file) throws IOException {
    if (!Files.exists(file) || Files.size(file) < COPIED_AT + Integer.BYTES) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    boolean whole = bytes.slice(0, HEAD_BYTES).equals(bytes.slice(HEAD_BYTES, HEAD_BYTES));
    if (!whole || bytes.getInt(0) != FORMAT || !isSummed(bytes)) {
      return null;
    }
    int copied = bytes.getInt(COPIED_AT);
    int frames = bytes.getInt(FRAMES_AT);
    return new WalIndex(bytes.order(ByteOrder.BIG_ENDIAN).getLong(SALT_AT), frames, copied);
  }

  private static boolean isSummed(ByteBuffer head) {
    int sum0 = 0;
    int sum1 = 0;
    for (int i = 0; i < SUM_AT; i += 2 * Integer.BYTES) {
      sum0 += head.getInt(i) + sum1;
      sum1 += head.getInt(i + Integer.BYTES) + sum0;
    }
    return head.getInt(SUM_AT) == sum0 && head.getInt(SUM_AT + Integer.BYTES) == sum1;
  }
}
