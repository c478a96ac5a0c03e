package io.penstock.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;

/** A snapshot cut into frames of about a megabyte. Confined to the thread that writes it. */
final class Chunks {
  private static final int CHUNK_BYTES = 1 << 20;

  /* Little at a time, so that the journal's own syncs do not wait for all of it. */
  private static final long SYNC_BYTES = 8 << 20;

  private final FrameFile file;
  private final Frame frame;
  private final long nanos;
  private final BooleanSupplier isWanted;
  private long syncedLength;
  private long states;

  Chunks(FrameFile file, Frame frame, long nanos, BooleanSupplier isWanted) {
    this.file = file;
    this.frame = frame;
    this.nanos = nanos;
    this.isWanted = isWanted;
    frame.begin(file.next());
  }

  Frame frame() {
    return frame;
  }

  /** Counts and writes a state. */
  void state(long hash, long rule, long[] words, int from, int length) {
    states++;
    frame.accept(hash, rule, words, from, length);
    mayEnd();
  }

  /** Writes the frame if there is enough in it. */
  void mayEnd() {
    if (frame.size() < CHUNK_BYTES) {
      return;
    }
    try {
      write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write() throws IOException {
    if (!isWanted.getAsBoolean()) {
      throw new IOException("snapshot: not wanted any more");
    }
    frame.time(nanos);
    file.append(frame);
    if (file.length() - syncedLength > SYNC_BYTES) {
      file.sync();
      syncedLength = file.length();
    }
    frame.begin(file.next());
  }

  /** Writes the rest, and that it is all. */
  void end() throws IOException {
    frame.last(states);
    write();
    file.sync();
  }
}
