package io.penstock.shard;

import java.io.IOException;
import java.io.UncheckedIOException;

/** All that a shard holds, in frames of about a megabyte. Confined to the thread that lists it. */
final class Chunks {
  private static final int CHUNK_BYTES = 1 << 20;

  /** Where the frames go. */
  interface Output {
    /** The number of the next frame, counted from 1. */
    long next();

    void append(Frame frame) throws IOException;
  }

  private final Output output;
  private final Frame frame;
  private final long nanos;
  private long states;

  Chunks(Output output, Frame frame, long nanos) {
    this.output = output;
    this.frame = frame;
    this.nanos = nanos;
    frame.begin(output.next());
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
    frame.time(nanos);
    output.append(frame);
    frame.begin(output.next());
  }

  /** Writes the rest, and that it is all. */
  void end() throws IOException {
    frame.last(states);
    write();
  }
}
