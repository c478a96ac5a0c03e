package io.penstock.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A disk that fails when told to: some files, or all, on writing or on syncing. Thread-safe. */
final class Faults implements Folder.Opener {
  private volatile Predicate<Path> failsToWrite = Faults::never;
  private volatile Predicate<Path> failsToSync = Faults::never;

  private static boolean never(Path path) {
    return false;
  }

  void failToWrite(Predicate<Path> files) {
    failsToWrite = files;
  }

  void failToSync(Predicate<Path> files) {
    failsToSync = files;
  }

  void heal() {
    failsToWrite = Faults::never;
    failsToSync = Faults::never;
  }

  @Override
  public FileChannel open(Path path) throws IOException {
    return new Channel(path, Folder.FILES.open(path));
  }

  /** Passes everything on, unless it fails. */
  private final class Channel extends FileChannel {
    private final Path path;
    private final FileChannel real;

    Channel(Path path, FileChannel real) {
      this.path = path;
      this.real = real;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      if (failsToWrite.test(path)) {
        /* As a disk that fills up: the first half gets there. */
        real.write(from.duplicate().limit(from.position() + from.remaining() / 2));
        throw new IOException("No space left on device (by this test)");
      }
      return real.write(from);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      if (failsToSync.test(path)) {
        throw new IOException("Input/output error (by this test)");
      }
      real.force(metaData);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      real.close();
    }

    @Override
    public int read(ByteBuffer to) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer to, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
