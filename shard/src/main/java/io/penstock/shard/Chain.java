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
   * written to again. A frame holds whole states, so those behind a damaged one count all the same.
   */
  private static final System.Logger LOG = System.getLogger(Chain.class.getName());

  /** A journal and how many of its frames count. */
  record Link(FrameScan journal, int frames) {}

  private final NavigableMap<Long, FrameScan> journals = new TreeMap<>();
  private final TreeSet<Long> numbers = new TreeSet<>();
  private @Nullable FrameScan snapshot;
  private List<Link> links = List.of();
  private boolean orphaned;

  static Chain find(Folder folder) throws IOException {
    Chain chain = new Chain();
    for (long number : folder.journals()) {
      chain.numbers.add(number);
      FrameScan scan = FrameScan.journal(folder.journal(number));
      if (scan.header() == null) {
        chain.discard(scan, /* from= */ 0);
      } else {
        chain.journals.put(number, scan);
      }
    }
    chain.numbers.addAll(folder.snapshots());
    chain.choose(folder);
    chain.sayTail();
    return chain;
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
      discard(scan, scan.wholeLength());
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
    FrameScan journal = journals.get(number);
    return journal != null && links.stream().anyMatch(link -> link.journal == journal);
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
    FrameScan journal = journals.get(first);
    while (journal != null) {
      FrameScan next = after(header(journal).number());
      long length = next == null ? journal.wholeLength() : header(next).previousLength();
      found.add(new Link(journal, journal.countBefore(length)));
      journal = next;
    }
    return found;
  }

  /** The journal that goes on from another; the last one, if that was tried more than once. */
  private @Nullable FrameScan after(long number) {
    for (FrameScan scan : journals.descendingMap().values()) {
      Header header = header(scan);
      if (header.base() == Header.Origin.PREVIOUS && header.previous() == number) {
        return scan;
      }
    }
    return null;
  }

  private void sayTail() {
    if (links.isEmpty()) {
      return;
    }
    for (Link link : links) {
      FrameScan journal = link.journal;
      FrameScan next = after(header(journal).number());
      long counts = next == null ? journal.fileLength() : header(next).previousLength();
      if (journal.wholeLength() < counts) {
        discard(journal, journal.wholeLength());
      }
    }
  }

  private void discard(FrameScan scan, long from) {
    String bytes = (scan.fileLength() - from) + " bytes from offset " + from;
    LOG.log(WARNING, "{0}: damaged or torn: discarded {1}", scan.path(), bytes);
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
    long bytes = links.stream().mapToLong(link -> link.journal.wholeLength()).sum();
    long nanos = links.stream().mapToLong(link -> link.journal.lastNanos()).max().orElse(0);
    return new Recovered(
        base,
        links.isEmpty() ? 0 : header(last()).number(),
        links.isEmpty() ? 0 : last().wholeLength(),
        numbers.isEmpty() ? 1 : numbers.last() + 1,
        bytes,
        snapshot == null ? 0 : snapshot.fileLength(),
        Math.max(nanos, snapshot == null ? 0 : snapshot.lastNanos()));
  }
}
