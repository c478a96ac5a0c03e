package io.penstock.shard;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file read in large pieces. Confined to one thread. */
final class FileBytes implements Closeable {
  private static final int PIECE = 1 << 20;

  private final FileChannel channel;
  private final long length;
  private ByteBuffer piece;
  private long pieceAt;

  FileBytes(Path path) throws IOException {
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.length = channel.size();
    this.piece = ByteBuffer.allocateDirect((int) Math.min(PIECE, length)).limit(0);
  }

  long length() {
    return length;
  }

  /** Some bytes of the file, until the next call. */
  ByteBuffer at(long offset, int size) throws IOException {
    if (offset < pieceAt || offset + size > pieceAt + piece.limit()) {
      read(offset, size);
    }
    return piece.slice((int) (offset - pieceAt), size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void read(long offset, int size) throws IOException {
    if (size > piece.capacity()) {
      piece = ByteBuffer.allocateDirect(Math.max(size, 2 * piece.capacity()));
    }
    piece.clear();
    pieceAt = offset;
    while (piece.position() < size) {
      if (channel.read(piece, offset + piece.position()) < 0) {
        throw new EOFException("read at " + offset + ": shorter than " + size + " bytes");
      }
    }
    piece.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
