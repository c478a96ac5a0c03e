package io.penstock.shard;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which files of a folder tell what the shard held, and in which order. Confined. */
final class Chain {
  /*
   * A snapshot counts together with the journal of its number and all journals that go on from
   * there. A journal that needs a snapshot which is not there does not count: nothing in it was
   * acknowledged. Each journal says how far the one before it counts, so nothing is ever cut off or
   * written to again. A frame holds whole states, so those behind a damaged one count all the same,
   * and so does a journal behind one that is missing.
   *
   * A kill leaves nothing worse than a last write that was cut short, at the end of the last
   * journal. Everything else that is not whole is damage.
   */
  private static final System.Logger LOG = System.getLogger(Chain.class.getName());

  /** A journal, and how far it counts. */
  record Link(FrameScan journal, long length) {
    int frames() {
      return journal.countBefore(length);
    }
  }

  private final NavigableMap<Long, FrameScan> journals = new TreeMap<>();
  private final TreeSet<Long> numbers = new TreeSet<>();
  private final Losses losses = new Losses();
  private @Nullable FrameScan snapshot;
  private List<Link> links = List.of();
  private boolean orphaned;

  static Chain find(Folder folder) throws IOException {
    Chain chain = new Chain();
    Map<Long, FrameScan> headless = new TreeMap<>();
    for (long number : folder.journals()) {
      chain.numbers.add(number);
      FrameScan scan = FrameScan.journal(folder.journal(number), number);
      (scan.header() == null ? headless : chain.journals).put(number, scan);
    }
    chain.numbers.addAll(folder.snapshots());
    for (Map.Entry<Long, FrameScan> entry : headless.entrySet()) {
      boolean hasSnapshot = folder.snapshots().contains(entry.getKey());
      chain.discard(entry.getValue(), entry.getKey(), hasSnapshot);
    }
    chain.choose(folder);
    chain.tellLosses();
    return chain;
  }

  /**
   * A journal is made before anything counts on it, so one that is just made may have no header.
   */
  private void discard(FrameScan scan, long number, boolean hasSnapshot) {
    boolean isNeeded =
        journals.values().stream().anyMatch(each -> header(each).previous() == number);
    boolean isDamage = hasSnapshot || isNeeded || scan.fileLength() > Header.BYTES;
    if (scan.fileLength() == 0) {
      losses.empty(scan, isDamage);
    } else {
      losses.discard(scan, scan.fileLength(), isDamage);
    }
  }

  private void choose(Folder folder) throws IOException {
    FrameScan damaged = null;
    long damagedNumber = 0;
    for (long number : folder.snapshots().descendingSet()) {
      FrameScan scan = FrameScan.snapshot(folder.snapshot(number));
      if (scan.isWhole()) {
        snapshot = scan;
        links = follow(number);
        break;
      }
      losses.discard(scan, scan.lostBefore(scan.fileLength()), /* isDamage= */ true);
      damaged = damaged == null ? scan : damaged;
      damagedNumber = Math.max(damagedNumber, number);
    }
    if (snapshot == null) {
      links = follow(empty());
    }
    if (snapshot == null && links.isEmpty() && damaged == null && !journals.isEmpty()) {
      FrameScan first = journals.firstEntry().getValue();
      LOG.log(WARNING, "{0}: what was before it is missing; its frames are used", first.path());
      links = follow(journals.firstKey());
      orphaned = true;
    }
    if (damaged != null && !reaches(damagedNumber)) {
      String kept = damaged.count() + " whole frames of it are used";
      LOG.log(WARNING, "{0}: nothing older leads up to it; {1}", damaged.path(), kept);
      snapshot = damaged;
      links = follow(damagedNumber);
    }
  }

  private boolean reaches(long number) {
    for (int i = 0; i < links.size() && !isStray(i); i++) {
      if (header(links.get(i).journal).number() == number) {
        return true;
      }
    }
    return false;
  }

  /** Whether a journal does not say that it goes on from the one it follows here. */
  private boolean isStray(int index) {
    return index > 0
        && header(links.get(index).journal).previous()
            != header(links.get(index - 1).journal).number();
  }

  /** The number of the journal that began with an empty shard, or 0. */
  private long empty() {
    for (Map.Entry<Long, FrameScan> entry : journals.descendingMap().entrySet()) {
      if (header(entry.getValue()).base() == Header.Origin.EMPTY) {
        return entry.getKey();
      }
    }
    return 0;
  }

  private static Header header(FrameScan scan) {
    Header header = scan.header();
    if (header == null) {
      throw new IllegalStateException(scan.path() + ": no header");
    }
    return header;
  }

  private List<Link> follow(long first) {
    List<Link> found = new ArrayList<>();
    boolean isMissing = first > 0 && !journals.containsKey(first);
    FrameScan journal = isMissing ? stray(first) : journals.get(first);
    while (journal != null) {
      FrameScan next = after(header(journal).number());
      found.add(new Link(journal, countedLength(journal, next)));
      journal = next;
    }
    return found;
  }

  /** How far a journal counts: as the next one says, else to its end. */
  private static long countedLength(FrameScan journal, @Nullable FrameScan next) {
    return next != null && header(next).previous() == header(journal).number()
        ? header(next).previousLength()
        : journal.fileLength();
  }

  /** The journal that goes on from another; the last one, if that was tried more than once. */
  private @Nullable FrameScan after(long number) {
    for (FrameScan scan : journals.descendingMap().values()) {
      Header header = header(scan);
      if (header.base() == Header.Origin.PREVIOUS && header.previous() == number) {
        return scan;
      }
    }
    return stray(number);
  }

  /** The first journal behind another that goes on from one which cannot be found. */
  private @Nullable FrameScan stray(long number) {
    for (FrameScan scan : journals.tailMap(number, /* inclusive= */ false).values()) {
      Header header = header(scan);
      if (header.base() == Header.Origin.PREVIOUS && !journals.containsKey(header.previous())) {
        return scan;
      }
    }
    return null;
  }

  private void tellLosses() {
    for (int i = 0; i < links.size(); i++) {
      FrameScan journal = links.get(i).journal;
      long previous = header(journal).previous();
      if (isStray(i) && previous != Header.UNKNOWN && !numbers.contains(previous)) {
        losses.miss(previous, journal);
      }
      long lost = journal.lostBefore(links.get(i).length);
      if (lost > 0) {
        boolean isLast = i == links.size() - 1;
        losses.discard(journal, lost, /* isDamage= */ !isLast || journal.hasGaps());
      }
      /* A write that was cut short was told when the next journal began. */
      if (links.get(i).length < journal.fileLength() && !journal.isTornAtMost()) {
        losses.passOver(journal, links.get(i).length);
      }
    }
  }

  private FrameScan last() {
    return links.get(links.size() - 1).journal;
  }

  @Nullable FrameScan snapshot() {
    return snapshot;
  }

  List<Link> links() {
    return links;
  }

  /** How a journal goes on from here. */
  Recovered recovered() {
    boolean repair = orphaned || (snapshot != null && !snapshot.isWhole());
    Header.Origin base =
        links.isEmpty() || repair
            ? numbers.isEmpty() ? Header.Origin.EMPTY : Header.Origin.SNAPSHOT
            : Header.Origin.PREVIOUS;
    long bytes = links.stream().mapToLong(link -> link.journal.endLength()).sum();
    long nanos = links.stream().mapToLong(link -> link.journal.lastNanos()).max().orElse(0);
    return new Recovered(
        base,
        links.isEmpty() ? 0 : header(last()).number(),
        links.isEmpty() ? 0 : last().endLength(),
        numbers.isEmpty() ? 1 : numbers.last() + 1,
        bytes,
        snapshot == null ? 0 : snapshot.fileLength(),
        Math.max(nanos, snapshot == null ? 0 : snapshot.lastNanos()),
        losses.all());
  }
}
