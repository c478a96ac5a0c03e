package io.penstock.shard;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A snapshot being written, as long as it is wanted. Confined to the thread that writes it. */
final class SnapshotFile implements Chunks.Output {
  /* Little at a time, so that the log's own syncs do not wait for all of it. */
  private static final long SYNC_BYTES = 8 << 20;

  private final FrameFile file;
  private final BooleanSupplier isWanted;
  private long syncedLength;

  SnapshotFile(FrameFile file, BooleanSupplier isWanted) {
    this.file = file;
    this.isWanted = isWanted;
  }

  @Override
  public long next() {
    return file.next();
  }

  @Override
  public void append(Frame frame) throws IOException {
    if (!isWanted.getAsBoolean()) {
      throw new IOException("snapshot: not wanted any more");
    }
    file.append(frame);
    if (file.length() - syncedLength > SYNC_BYTES) {
      file.sync();
      syncedLength = file.length();
    }
  }

  /** Writes everything there is, and returns when it is on disk. */
  void write(Contents contents, long nanos) throws IOException {
    Chunks chunks = new Chunks(this, new Frame(contents.rules()), nanos);
    contents.list(chunks, nanos);
    chunks.end();
    file.sync();
  }
}
