package io.penstock.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk that takes long to store what one process writes: each sync of a file waits before it
 * begins (strace). Confined to one thread.
 */
final class SlowDisk implements AutoCloseable {
  private static final long ATTACH_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String SYNCS = "fsync,fdatasync";

  private final Process strace;
  private final long pid;
  private final Path log;

  private SlowDisk(Process strace, long pid, Path log) {
    this.strace = strace;
    this.pid = pid;
    this.log = log;
  }

  /**
   * Begins to hold up a process.
   *
   * @param log where every sync is noted, and nothing is before
   */
  static SlowDisk of(long pid, int lateMillis, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "strace",
            "--follow-forks",
            "--quiet=all",
            "--output=" + log,
            "--trace=" + SYNCS,
            "--inject=" + SYNCS + ":delay_enter=" + lateMillis + "ms",
            "--attach=" + pid);
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    return new SlowDisk(builder.start(), pid, log);
  }

  /** Whether there is a strace, and it is allowed to look at other processes. */
  static boolean isPossible(Path log) throws IOException, InterruptedException {
    Process idle = new ProcessBuilder("sleep", "60").start();
    try (SlowDisk disk = of(idle.pid(), /* lateMillis= */ 1, log)) {
      return disk.isAttached();
    } catch (IOException e) {
      return false;
    } finally {
      idle.destroyForcibly().waitFor();
    }
  }

  /** Whether it holds up its process, once that is known. */
  boolean isAttached() throws IOException {
    long end = System.nanoTime() + ATTACH_NANOS_MAX;
    while (strace.isAlive() && System.nanoTime() < end) {
      if (Files.readString(Path.of("/proc/" + pid + "/status"))
          .contains("\nTracerPid:\t" + strace.pid() + "\n")) {
        return true;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return false;
  }

  /** How many syncs were held up. */
  long delayed() throws IOException {
    try (var lines = Files.lines(log)) {
      return lines.filter(line -> line.endsWith("(DELAYED)")).count();
    }
  }

  /** Lets the process go on as it was. */
  @Override
  public void close() {
    strace.destroy();
    try {
      if (!strace.waitFor(ATTACH_NANOS_MAX, TimeUnit.NANOSECONDS)) {
        strace.destroyForcibly();
      }
    } catch (InterruptedException e) {
      strace.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
