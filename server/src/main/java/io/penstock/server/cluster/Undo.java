package io.penstock.server.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Undoes something that is being decided, once: when it is known how and somebody wants it,
 * whichever comes last. Thread-safe.
 */
final class Undo implements Runnable {
  private @Nullable Runnable how;
  private boolean isWanted;

  /** This is how; null if nothing was taken. */
  void by(@Nullable Runnable undoing) {
    synchronized (this) {
      if (!isWanted) {
        how = undoing;
        return;
      }
    }
    if (undoing != null) {
      undoing.run();
    }
  }

  @Override
  public void run() {
    Runnable known;
    synchronized (this) {
      isWanted = true;
      known = how;
      how = null;
    }
    if (known != null) {
      known.run();
    }
  }
}
