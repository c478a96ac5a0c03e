package io.penstock.server.policy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says what SQLite will discard of its write-ahead log without a word. Confined to one thread.
 *
 * <p>The log is a header and frames of one page each (sqlite.org/fileformat2.html#walformat). The
 * checksum of a frame continues that of the frame before; what follows the first frame whose
 * checksum is wrong, or the last one that ends a transaction, is discarded. A log is written over
 * from its start with another salt, so frames of another salt are only left over.
 */
final class WalTail {
  private static final System.Logger LOG = System.getLogger(WalTail.class.getName());
  private static final int MAGIC = 0x377f0682;
  private static final int HEADER_BYTES = 32;
  private static final int FRAME_HEADER_BYTES = 24;
  private static final int SUMMED_BYTES = 8;
  private static final int SALT_AT = 8;
  private static final int PAGE_BYTES_MIN = 512;
  private static final int PAGE_BYTES_MAX = 65_536;

  private final FileChannel channel;
  private ByteOrder order = ByteOrder.BIG_ENDIAN;
  private int sum0;
  private int sum1;
  private int pageBytes;
  private long salt;
  private int frames;
  private final Map<Integer, Long> written = new HashMap<>();

  private WalTail(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Logs how much will be discarded, if anything will, and tells what of that was committed; null
   * if nothing was: then a transaction was cut short, and nobody has been told that it is kept.
   */
  static @Nullable String report(Path log, @Nullable WalIndex index) throws IOException {
    if (!Files.exists(log)) {
      return null;
    }
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      WalTail tail = new WalTail(channel);
      long lost = tail.lostBytes();
      if (lost > 0) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: discarded {1} bytes behind the last whole transaction",
            log,
            String.valueOf(lost));
      }
      return index == null ? tail.lossOfHeader(channel.size()) : tail.loss(index);
    }
  }

  /** Without an index only the header tells: it is synced before anything else is written. */
  private @Nullable String lossOfHeader(long size) {
    return pageBytes == 0 && size >= HEADER_BYTES
        ? "nothing of its log can be read, the last changes may be lost"
        : null;
  }

  private @Nullable String loss(WalIndex index) {
    boolean other = pageBytes != 0 && salt != index.salt();
    boolean lost = frames < index.frames() && index.copied() < index.frames();
    return lost && !other
        ? "discarded the last changes: of its log "
            + frames
            + " of "
            + index.frames()
            + " pages can be read"
        : null;
  }

  /** How many bytes at the end of a log are torn or damaged. */
  static long lostBytes(Path log) throws IOException {
    if (!Files.exists(log) || Files.size(log) == 0) {
      return 0;
    }
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      return new WalTail(channel).lostBytes();
    }
  }

  /** Where in a log the newest of each page is that a whole transaction has written. */
  static Map<Integer, Long> pages(Path log, int pageBytes) throws IOException {
    if (!Files.exists(log)) {
      return Map.of();
    }
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      WalTail tail = new WalTail(channel);
      var unused = tail.lostBytes();
      return tail.pageBytes == pageBytes ? tail.written : Map.of();
    }
  }

  private long lostBytes() throws IOException {
    long size = channel.size();
    ByteBuffer header = read(0, HEADER_BYTES);
    if (header.limit() < HEADER_BYTES || !isHeader(header)) {
      return size;
    }
    pageBytes = header.getInt(8);
    int frameBytes = FRAME_HEADER_BYTES + pageBytes;
    salt = header.getLong(16);
    long at = HEADER_BYTES;
    long whole = at;
    Map<Integer, Long> unfinished = new HashMap<>();
    while (at + frameBytes <= size) {
      ByteBuffer frame = read(at, frameBytes);
      if (frame.getLong(SALT_AT) != salt || !isFrame(frame)) {
        break;
      }
      unfinished.put(frame.getInt(0), at + FRAME_HEADER_BYTES);
      at += frameBytes;
      boolean endsTransaction = frame.getInt(4) != 0;
      if (endsTransaction) {
        whole = at;
        written.putAll(unfinished);
        unfinished.clear();
      }
    }
    frames = (int) ((whole - HEADER_BYTES) / frameBytes);
    return Math.max(at, lastOfSalt(at, frameBytes)) - whole;
  }

  /**
   * Where the last frame with the salt of the log ends, from a place on; that place if there is
   * none.
   */
  private long lastOfSalt(long from, int frameBytes) throws IOException {
    long last = from;
    for (long at = from; at < channel.size(); at += frameBytes) {
      ByteBuffer head = read(at, FRAME_HEADER_BYTES);
      boolean cut = head.limit() < SALT_AT + Long.BYTES;
      if (cut || head.getLong(SALT_AT) == salt) {
        last = Math.min(at + frameBytes, channel.size());
      }
    }
    return last;
  }

  private boolean isHeader(ByteBuffer header) {
    int magic = header.getInt(0);
    int page = header.getInt(8);
    order = (magic & 1) == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    add(header, 0, FRAME_HEADER_BYTES);
    return (magic & ~1) == MAGIC
        && page >= PAGE_BYTES_MIN
        && page <= PAGE_BYTES_MAX
        && header.getInt(24) == sum0
        && header.getInt(28) == sum1;
  }

  private boolean isFrame(ByteBuffer frame) {
    add(frame, 0, SUMMED_BYTES);
    add(frame, FRAME_HEADER_BYTES, pageBytes);
    return frame.getInt(16) == sum0 && frame.getInt(20) == sum1;
  }

  private void add(ByteBuffer bytes, int from, int length) {
    ByteBuffer words = bytes.duplicate().order(order);
    for (int i = from; i < from + length; i += 2 * Integer.BYTES) {
      sum0 += words.getInt(i) + sum1;
      sum1 += words.getInt(i + Integer.BYTES) + sum0;
    }
  }

  /** So many bytes from a place on, fewer at the end of the file. */
  private ByteBuffer read(long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    int read = 0;
    while (read >= 0 && bytes.hasRemaining()) {
      read = channel.read(bytes, from + bytes.position());
    }
    return bytes.flip();
  }
}
