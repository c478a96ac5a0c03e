package io.penstock.shard;

import static java.lang.System.Logger.Level.WARNING;

import java.util.ArrayList;
import java.util.List;

/** Gathers what a folder has lost, and logs it. Confined. */
final class Losses {
  private static final System.Logger LOG = System.getLogger(Losses.class.getName());

  private final List<String> damages = new ArrayList<>();
  private long bytes;

  /**
   * Notes that bytes of a file are not used.
   *
   * @param isDamage whether it cannot be a write that was cut short
   */
  void discard(FrameScan scan, long lost, boolean isDamage) {
    String what = lost + " bytes from offset " + scan.lostFrom();
    LOG.log(WARNING, "{0}: damaged or torn: discarded {1}", scan.path(), what);
    bytes += lost;
    if (isDamage) {
      damages.add(scan.path().getFileName() + " was damaged: discarded " + what);
    }
  }

  /**
   * Notes that a journal has nothing in it.
   *
   * @param isDamage whether it is known to have had
   */
  void empty(FrameScan scan, boolean isDamage) {
    String ifAny = isDamage ? "" : ", if anything,";
    LOG.log(WARNING, "{0}: empty: what was written to it{1} is lost", scan.path(), ifAny);
    if (isDamage) {
      damages.add(scan.path().getFileName() + " is empty: what was written to it is lost");
    }
  }

  /** Says that there are bytes behind a journal which count nothing, and that no kill has left. */
  void passOver(FrameScan scan, long from) {
    LOG.log(
        WARNING,
        "{0}: nothing is used of {1} bytes from offset {2}, behind its end",
        scan.path(),
        String.valueOf(scan.fileLength() - from),
        String.valueOf(from));
  }

  /** Notes that a journal is not there which another goes on from. */
  void miss(long journal, FrameScan next) {
    LOG.log(WARNING, "{0}: journal {1} is missing, which is before it", next.path(), journal);
    damages.add("journal " + journal + " is missing: what was written to it is lost");
  }

  Discarded all() {
    return new Discarded(bytes, damages.isEmpty() ? null : String.join("; ", damages));
  }
}
