package io.penstock.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file of frames being written. Confined to one thread. */
final class FrameFile implements Closeable {
  private final FileChannel channel;
  private final Header header;
  private long length;
  private long frames;

  private FrameFile(FileChannel channel, Header header) {
    this.channel = channel;
    this.header = header;
  }

  static FrameFile create(FileChannel channel, Header header) throws IOException {
    FrameFile file = new FrameFile(channel, header);
    try {
      file.write(header.write());
      return file;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      length += channel.write(bytes);
    }
  }

  /** The number of the next frame, counted from 1. */
  long next() {
    return frames + 1;
  }

  void append(Frame frame) throws IOException {
    if (frame.overflowed()) {
      throw new IOException("frame: more than " + Frame.BYTES_MAX + " bytes at once");
    }
    write(frame.finish());
    frames++;
  }

  /** Returns when everything written is on disk. */
  void sync() throws IOException {
    channel.force(/* metaData= */ false);
  }

  long number() {
    return header.number();
  }

  long length() {
    return length;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
