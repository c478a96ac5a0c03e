package io.penstock.shard;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Writes one snapshot in the background and publishes it. Thread-safe.
 *
 * <p>It lists what is there while decisions go on, so it holds parts of decisions that came later.
 * The frames of its journal hold them whole; therefore it is published only after a frame that was
 * cut when all was listed is durable (R8, R9).
 */
final class SnapshotWriter implements Runnable {
  private static final System.Logger LOG = System.getLogger(SnapshotWriter.class.getName());

  private final Folder folder;
  private final Contents contents;
  private final long number;
  private final Journal journal;
  private final Thread thread = new Thread(this, "penstock-snapshot");
  private final CompletableFuture<Boolean> isCompleted = new CompletableFuture<>();
  private volatile boolean listed;

  SnapshotWriter(Folder folder, Contents contents, long number, Journal journal) {
    this.folder = folder;
    this.contents = contents;
    this.number = number;
    this.journal = journal;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Gives up unless it is about to publish, and waits for that. */
  void stop(long millisMax) throws InterruptedException {
    isCompleted.complete(false);
    thread.join(millisMax);
  }

  @Override
  public void run() {
    try {
      long bytes = write();
      listed = true;
      journal.order(() -> {});
      if (!isCompleted.get()) {
        throw new IOException("snapshot-" + number + ": its journal failed");
      }
      folder.publish(number);
      deleteOld();
      journal.order(() -> journal.published(number, bytes));
    } catch (IOException | RuntimeException | OutOfMemoryError | ExecutionException e) {
      drop(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      drop(e);
    }
  }

  private void deleteOld() {
    try {
      folder.deleteBefore(number);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "old files stay until the next snapshot", e);
    }
  }

  private void drop(Throwable cause) {
    try {
      folder.deleteDrafts();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    journal.order(() -> journal.snapshotFailed(cause));
  }

  private long write() throws IOException {
    int stripes = contents.table().stripeCount();
    long nanos = contents.clock().nanos();
    try (FrameFile file = folder.createDraft(Header.snapshot(number, stripes))) {
      new SnapshotFile(file, () -> !journal.isClosing()).write(contents, nanos);
      return file.length();
    }
  }

  /** Whether all is listed, so that the next frame completes it. */
  boolean isListed() {
    return listed;
  }

  /** Says whether a frame that was cut after all was listed is durable. */
  void mayPublish(boolean isDurable) {
    isCompleted.complete(isDurable);
  }
}
