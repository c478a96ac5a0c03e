package io.penstock.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads a folder into an empty shard, on several threads. Confined to whoever opens the shard. */
final class Recovery {
  private static final int SHARES_MAX = 8;

  private final Contents contents;
  private final Chain chain;
  private final Recovered recovered;

  private Recovery(Contents contents, Chain chain) {
    this.contents = contents;
    this.chain = chain;
    this.recovered = chain.recovered();
  }

  static Recovered run(Folder folder, Contents contents) throws IOException {
    folder.deleteDrafts();
    Recovery recovery = new Recovery(contents, Chain.find(folder));
    recovery.checkStripes();
    FrameScan snapshot = recovery.chain.snapshot();
    if (snapshot != null && snapshot.isWhole()) {
      contents.table().tracked().expect(snapshot.states());
    }
    recovery.applyAll();
    contents.table().tracked().forgetChanges();
    return recovery.recovered;
  }

  /* Of a hash a slot keeps what its stripe does not tell; more stripes would need what is lost. */
  private void checkStripes() {
    List<FrameScan> files = new ArrayList<>();
    chain.links().forEach(link -> files.add(link.journal()));
    if (chain.snapshot() != null) {
      files.add(chain.snapshot());
    }
    int stripes = contents.table().stripeCount();
    for (FrameScan file : files) {
      Header header = file.header();
      if (header != null && header.stripes() < stripes) {
        throw new FolderException(
            file.path()
                + ": "
                + header.stripes()
                + " stripes (expected: at least "
                + stripes
                + ")");
      }
    }
  }

  private void applyAll() throws IOException {
    int shares = Math.min(SHARES_MAX, Runtime.getRuntime().availableProcessors());
    ExecutorService threads = Executors.newFixedThreadPool(shares);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int share = 0; share < shares; share++) {
        Applier applier = new Applier(contents, recovered.lastNanos(), share, shares);
        ends.add(threads.submit(() -> apply(applier)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      throw rethrown(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static IOException rethrown(ExecutionException e) {
    if (e.getCause() instanceof FolderException known) {
      throw known;
    }
    return new IOException("not read: " + e.getCause(), e);
  }

  private Void apply(Applier applier) throws IOException {
    FrameScan snapshot = chain.snapshot();
    if (snapshot != null) {
      applier.apply(snapshot, snapshot.count());
    }
    for (Chain.Link link : chain.links()) {
      applier.apply(link.journal(), link.frames());
    }
    return null;
  }
}
