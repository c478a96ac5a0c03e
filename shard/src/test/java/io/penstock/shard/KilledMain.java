package io.penstock.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Decides without end and says which deeds were answered and when, until it is killed. */
final class KilledMain {
  /** How its answers leave, and what its writer suffers. */
  enum Mode {
    /** When they are on disk. */
    STRICT,
    /** At once, while every core is busy with something else. */
    FAST,
    /** At once, and from some write on the writer comes no further. */
    HELD
  }

  /** In the folder: the writer is held, and long enough for everybody to notice. */
  static final String HELD_LONG = "held";

  /** How many strict answers may be outstanding, as from so many connections. */
  private static final int OUTSTANDING = 16;

  private static final int WRITES_BEFORE_HELD = 20;
  private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Path folder;
  private final Mode mode;
  private final CountDownLatch held = new CountDownLatch(1);
  private final Semaphore outstanding = new Semaphore(OUTSTANDING);
  private final Shard shard;
  private long heldSince;

  private KilledMain(Path folder, Mode mode) {
    this.folder = folder;
    this.mode = mode;
    Faults faults = new Faults();
    this.shard = Shard.open(KillIT.options(folder), faults);
    if (mode == Mode.HELD) {
      AtomicInteger writes = new AtomicInteger();
      faults.failToWrite(path -> writes.incrementAndGet() > WRITES_BEFORE_HELD && hangs());
    }
  }

  /** Arguments: the folder, the first deed, and the mode. */
  public static void main(String[] arguments) throws Exception {
    Mode mode = Mode.valueOf(arguments[2]);
    if (mode != Mode.STRICT) {
      for (int i = 0; i < 3 * Runtime.getRuntime().availableProcessors(); i++) {
        Thread burner = new Thread(KilledMain::burn);
        burner.setDaemon(true);
        burner.start();
      }
    }
    new KilledMain(Path.of(arguments[0]), mode).decide(Long.parseLong(arguments[1]));
  }

  private static void burn() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private boolean hangs() {
    held.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private void decide(long first) throws Exception {
    Ledger ledger = new Ledger(shard);
    for (long deed = first; ; deed++) {
      long answered = deed;
      long nanos = ledger.decide(deed, KillIT.firstKey(deed), KillIT.secondKey(deed));
      if (mode == Mode.STRICT) {
        outstanding.acquire();
        shard.whenDurable(
            shard.table().number(),
            durable -> {
              outstanding.release();
              say(durable, answered, nanos);
            });
      } else {
        say(shard.isDurable() && shard.keepsUp(nanos), answered, nanos);
        noteHeld(nanos);
      }
    }
  }

  private static void say(boolean durable, long deed, long nanos) {
    if (durable) {
      System.out.println(deed + " " + nanos);
      System.out.flush();
    }
  }

  private void noteHeld(long nanos) throws IOException {
    if (held.getCount() == 0) {
      heldSince = heldSince == 0 ? nanos : heldSince;
      if (nanos - heldSince > HELD_NANOS && !Files.exists(folder.resolve(HELD_LONG))) {
        Files.createFile(folder.resolve(HELD_LONG));
      }
    }
  }
}
