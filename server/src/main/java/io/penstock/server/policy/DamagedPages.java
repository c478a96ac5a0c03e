package io.penstock.server.policy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a SQLite file whose structure cannot be trusted: those of the file, or of its
 * write-ahead log where that has newer ones. Confined to one thread.
 */
final class DamagedPages implements AutoCloseable {
  private static final int PAGE_BYTES = 4_096;

  private final FileChannel file;
  private final @Nullable FileChannel log;
  private final Map<Integer, Long> newer;

  private DamagedPages(FileChannel file, @Nullable FileChannel log, Map<Integer, Long> newer) {
    this.file = file;
    this.log = log;
    this.newer = newer;
  }

  static DamagedPages open(Path file) throws IOException {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    Map<Integer, Long> newer = WalTail.pages(log, PAGE_BYTES);
    return new DamagedPages(
        FileChannel.open(file, StandardOpenOption.READ),
        Files.exists(log) ? FileChannel.open(log, StandardOpenOption.READ) : null,
        newer);
  }

  /** The number of the last page; the first has number 1. */
  int last() throws IOException {
    int last = Math.toIntExact(Math.min(file.size() / PAGE_BYTES, Integer.MAX_VALUE - 1));
    return newer.keySet().stream().reduce(last, Math::max);
  }

  /** A page, filled up with zeros if it is cut short. */
  ByteBuffer page(int number) throws IOException {
    Long place = newer.get(number);
    ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
    if (log != null && place != null) {
      fill(page, log, place);
    } else {
      fill(page, file, (number - 1L) * PAGE_BYTES);
    }
    return page.clear();
  }

  private static void fill(ByteBuffer page, FileChannel from, long place) throws IOException {
    int read = 0;
    while (read >= 0 && page.hasRemaining()) {
      read = from.read(page, place + page.position());
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
    if (log != null) {
      log.close();
    }
  }
}
