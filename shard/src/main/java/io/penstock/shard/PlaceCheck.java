package io.penstock.shard;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks from time to time whether the journal being written is still where a restart would look for
 * it. Confined to the thread of the journal.
 */
final class PlaceCheck {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Folder folder;
  private @Nullable FileIdentity journal;
  private long dueNanos;

  PlaceCheck(Folder folder) {
    this.folder = folder;
  }

  /** From now on it is the journal of this number, which was just made. */
  void begin(long number) throws IOException {
    journal = FileIdentity.of(folder.journal(number));
  }

  /** Throws if it is time to look, and the folder or the journal is not there any more. */
  void look(long nowNanos) throws IOException {
    if (journal != null && nowNanos >= dueNanos) {
      folder.checkPlace(journal);
      dueNanos = nowNanos + PERIOD_NANOS;
    }
  }
}
