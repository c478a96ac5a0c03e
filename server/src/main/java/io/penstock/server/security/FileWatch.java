package io.penstock.server.security;

import io.penstock.server.WatchThread;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks after files of keys and certificates, and says in the log what changed. Thread-safe. */
public final class FileWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger(FileWatch.class.getName());
  private static final long EVERY_MILLIS = 500;

  private final List<WatchedFiles<?>> files = new CopyOnWriteArrayList<>();
  private final WatchThread thread = new WatchThread("file-watch");

  public void start() {
    var unused =
        thread
            .timer()
            .scheduleWithFixedDelay(this::poll, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  <T> WatchedFiles<T> add(WatchedFiles<T> watched) {
    files.add(watched);
    return watched;
  }

  /** What is wrong with the files now; null if nothing is. */
  public @Nullable String trouble() {
    for (WatchedFiles<?> each : files) {
      String trouble = each.trouble();
      if (trouble != null) {
        return trouble;
      }
    }
    return null;
  }

  /** Looks at all files now. */
  public void poll() {
    for (WatchedFiles<?> each : files) {
      try {
        if (each.poll()) {
          String trouble = each.trouble();
          if (trouble == null) {
            LOG.log(Level.INFO, "read again: " + each.paths());
          } else {
            LOG.log(
                Level.WARNING,
                "what was read before stays in force; " + each.paths() + ": " + trouble);
          }
        }
      } catch (RuntimeException bug) {
        LOG.log(Level.ERROR, "not read again: " + each.paths(), bug);
      }
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
