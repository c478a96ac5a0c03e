package io.penstock.shard;

import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/** Decides without end and says which deeds were answered, until it is killed. */
final class KilledMain {
  /** How many strict answers may be outstanding, as from so many connections. */
  private static final int OUTSTANDING = 16;

  private KilledMain() {}

  /** Arguments: the folder, the first deed, and whether answers wait for the disk. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    long first = Long.parseLong(arguments[1]);
    boolean strict = Boolean.parseBoolean(arguments[2]);
    Shard shard = Shard.open(KillIT.options(folder));
    Ledger ledger = new Ledger(shard);
    Semaphore outstanding = new Semaphore(OUTSTANDING);
    for (long deed = first; ; deed++) {
      long answered = deed;
      ledger.decide(deed, KillIT.firstKey(deed), KillIT.secondKey(deed));
      if (strict) {
        outstanding.acquire();
        shard.whenDurable(
            shard.table().number(),
            durable -> {
              outstanding.release();
              say(durable, answered);
            });
      } else {
        say(shard.isDurable(), answered);
      }
    }
  }

  private static void say(boolean durable, long deed) {
    if (durable) {
      System.out.println(deed);
      System.out.flush();
    }
  }
}
