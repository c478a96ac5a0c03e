package io.penstock.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.jspecify.annotations.Nullable;

/**
 * The disk of this node, as its logs find it (R10). Thread-safe.
 *
 * <p>Raft never writes a log again that it once could not write, and says nothing to the other
 * nodes. So what this node leads is given away, and nothing more is kept here: its groups only hear
 * who leads. When there is room, such a log is opened anew from what is on the disk, and the leader
 * sends the rest. Terms and votes are written all the while, in the room that was kept for them.
 */
final class Disk implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Disk.class.getName());
  private static final long PAUSE_MILLIS = 1_000;

  /** A segment of a log: with less room a group would soon be here again. */
  private static final int ROOM_BYTES = 8 << 20;

  private static final int RESERVE_BYTES = 1 << 20;
  private static final int PIECE_BYTES = 64 << 10;
  private static final String UNKNOWN = "this failed inside; the log says why";

  private final Path probe;
  private final Path reserve;
  private final Groups groups;
  private final Runnable giveAway;
  private final Map<RaftGroupId, String> away = new ConcurrentHashMap<>();
  private final Semaphore news = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "penstock-disk");
  private volatile boolean closed;

  /**
   * The disk under a folder.
   *
   * @param giveAway lets others lead what this node leads; must not block
   */
  Disk(Path folder, Groups groups, Runnable giveAway) {
    this.probe = folder.resolve("room.probe");
    this.reserve = folder.resolve("room.reserve");
    this.groups = groups;
    this.giveAway = giveAway;
    thread.setDaemon(true);
  }

  void start() {
    take(reserve, RESERVE_BYTES);
    thread.start();
  }

  /** What the log of a group says cannot be stored here. */
  void failed(RaftGroupId group, Throwable cause) {
    if (away.putIfAbsent(group, reason(cause)) == null) {
      give(reserve);
      LOG.log(System.Logger.Level.ERROR, group + ": the log cannot be written", cause);
      news.release();
    }
  }

  /** In a few words, for everybody to know: without a path, which only the log may tell. */
  private static String reason(Throwable cause) {
    String reason = UNKNOWN;
    for (Throwable each = cause; each instanceof IOException; each = each.getCause()) {
      String text = each instanceof FileSystemException file ? file.getReason() : each.getMessage();
      if (text != null && text.indexOf(File.separatorChar) < 0) {
        reason = text;
      }
    }
    return reason;
  }

  /** Whether nothing more is to be written: what is left of room is for terms and votes. */
  boolean isAway() {
    return !away.isEmpty();
  }

  /** Why this node leads nothing; null if it may. */
  @Nullable String trouble() {
    return away.entrySet().stream()
        .map(each -> "log of " + groups.named(each.getKey()) + ": " + each.getValue())
        .sorted()
        .findFirst()
        .map(why -> why + " (expected: room for " + (ROOM_BYTES >> 20) + " MB; then it goes on)")
        .orElse(null);
  }

  private void run() {
    try {
      while (!closed) {
        boolean isNews = news.tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        news.drainPermits();
        round(isNews);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Others get a second to take over before a group is closed that this node may lead still. */
  private void round(boolean isNews) {
    if (away.isEmpty() || closed) {
      return;
    }
    mayLead(false);
    giveAway.run();
    if (!isNews && take(probe, ROOM_BYTES)) {
      give(probe);
      away.keySet().forEach(this::mend);
      mayLead(away.isEmpty());
    }
  }

  private void mayLead(boolean may) {
    for (Group group : groups.all()) {
      try {
        group.mayLead(may);
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, group + ": not open", e);
      }
    }
  }

  /** Takes room by a file; says whether there was so much. */
  private static boolean take(Path file, int bytes) {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (int written = 0; written < bytes; written += PIECE_BYTES) {
        channel.write(ByteBuffer.allocate(PIECE_BYTES));
      }
      channel.force(/* metaData= */ true);
      return true;
    } catch (IOException e) {
      give(file);
      return false;
    }
  }

  private static void give(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, file + ": not deleted", e);
    }
  }

  /** It takes entries again as soon as nobody is left who would say that it has some (R10). */
  private void mend(RaftGroupId group) {
    try {
      groups.shut(group);
      away.remove(group);
      groups.reopen(group);
      take(reserve, RESERVE_BYTES);
      LOG.log(System.Logger.Level.INFO, "{0}: the log is written again", group);
    } catch (IOException | RuntimeException e) {
      away.put(group, "cannot be opened again: " + reason(e));
      LOG.log(System.Logger.Level.ERROR, group + ": not opened; tried again", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    news.release();
  }
}
