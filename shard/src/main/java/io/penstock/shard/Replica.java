package io.penstock.shard;

import io.penstock.core.Clock;
import io.penstock.core.state.Rules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a replicated shard: exactly what the log says (R7). It needs no clock, no policies
 * and no arithmetic: an entry overwrites. Confined to the thread that applies the log, but for
 * {@link Copy} and {@link #end}, which any thread may use.
 */
public final class Replica {
  /*
   * The owner does not decide on these states: it decides on a shard of its own that began as a
   * copy of them, and what it decides comes back as entries. So nothing is ever to be undone: at
   * the end of a term its shard is dropped (R7).
   */
  private static final int RULES_MAX = 1_500;

  /** What the owner may use, so that each replica has room for it however it lies there (R11). */
  private static final int OWNER_PERCENT = 90;

  private final ShardOptions options;
  private Contents contents;
  private Applier applier;
  private int rulesKept;
  private long term;
  private long number;
  private long stampNanos;
  private @Nullable Bytes gathered;
  private volatile @Nullable ReplicatedLog owner;

  /** An empty one; of the options, folder and clock do not matter. */
  public Replica(ShardOptions options) {
    this.options = options;
    this.contents = empty(options);
    this.applier = new Applier(contents, /* nowNanos= */ 0, /* share= */ 0, /* shares= */ 1);
  }

  private static Contents empty(ShardOptions options) {
    return Shard.contents(new Rules(), options, /* isTracked= */ true);
  }

  /**
   * Applies an entry of the log, unless it does not follow the last one of its term: then it is
   * ignored, here as on every other replica (R1).
   *
   * @param logTerm the term in which the entry came into the log
   * @return whether it counts
   */
  public boolean apply(long logTerm, ByteBuffer bytes) {
    Entry entry = Entry.read(bytes);
    long last = entry.term() == term ? number : 0;
    if (entry.term() != logTerm || entry.term() < term || entry.number() != last + 1) {
      return false;
    }
    if (entry.term() != term) {
      gathered = null;
    }
    term = entry.term();
    number = entry.number();
    stampNanos = Math.max(stampNanos, entry.stampNanos());
    ByteBuffer frame = whole(entry);
    if (frame != null) {
      keep(frame);
    }
    ReplicatedLog log = owner;
    if (log != null) {
      log.accepted(entry.term(), entry.number());
    }
    return true;
  }

  /** The frame that an entry completes, or null if more of it follows. */
  private @Nullable ByteBuffer whole(Entry entry) {
    if (entry.parts() == 1) {
      return entry.bytes();
    }
    Bytes parts = entry.part() == 0 ? new Bytes(Frame.BYTES_MAX, /* direct= */ false) : gathered;
    if (parts == null || !parts.hasRoom(entry.bytes().remaining())) {
      throw new IllegalStateException("log entry " + number + ": a part of no frame");
    }
    parts.buffer().put(entry.bytes());
    gathered = entry.part() + 1 < entry.parts() ? parts : null;
    return gathered == null ? parts.buffer().flip() : null;
  }

  private void keep(ByteBuffer frame) {
    int length = frame.getInt();
    int checksum = frame.getInt();
    CRC32C crc = new CRC32C();
    crc.update(frame.duplicate());
    if (length != frame.remaining() || checksum != (int) crc.getValue()) {
      throw new IllegalStateException("log entry " + number + ": its checksum does not match");
    }
    applier.goOnTo(stampNanos);
    applier.apply(frame.position(frame.position() + Frame.STAMP));
    contents.table().tracked().forgetChanges();
    contents.expire(stampNanos);
    if (contents.rules().sharedCount() > Math.max(RULES_MAX, 2 * rulesKept)) {
      forgetRules();
    }
  }

  /* A rule stays as long as this table: one that is copied knows only those that states need. */
  private void forgetRules() {
    Contents next = empty(options);
    copy(contents, next, stampNanos);
    contents = next;
    applier = new Applier(contents, stampNanos, /* share= */ 0, /* shares= */ 1);
    rulesKept = contents.rules().sharedCount();
  }

  /** When the newest entry that counts was made, in log time. */
  public long stampNanos() {
    return stampNanos;
  }

  /** When an entry was made, in log time. */
  public static long stampNanos(ByteBuffer entry) {
    return Entry.read(entry).stampNanos();
  }

  /** Whether nothing is half applied, so that {@link #copy} may be called. */
  public boolean isWhole() {
    return gathered == null;
  }

  /**
   * Begins the ownership of this node: a shard of its own, which goes on from what is here. To be
   * called when everything before the term is applied (R3).
   *
   * @param ownedTerm the term in which this node owns
   * @param rules those of the node's policies
   * @param nowNanos log time by now, as far as this node can tell; never below the last stamp
   * @param appender where entries go
   * @param ended told once when the ownership has ended, for whatever reason
   */
  public Shard own(long ownedTerm, Rules rules, long nowNanos, Appender appender, Runnable ended) {
    Owned owned = begin(ownedTerm, rules, nowNanos, appender, ended);
    owned.log.start();
    return owned.shard;
  }

  /** A shard of the owner, and its log, which nobody drives yet. */
  record Owned(Shard shard, ReplicatedLog log) {}

  Owned begin(long ownedTerm, Rules rules, long nowNanos, Appender appender, Runnable ended) {
    end();
    Clock clock = new TermClock(options.clock(), Math.max(nowNanos, stampNanos));
    Contents own = copyFor(rules, options.by(clock));
    own.table().tracked().forgetChanges();
    ReplicatedLog log = new ReplicatedLog(own, ownedTerm, appender, ended);
    owner = log;
    return new Owned(new Shard(own, log, /* lock= */ null), log);
  }

  /* A replica that was filled before there was this rule may hold more: it is owned whole. */
  private Contents copyFor(Rules rules, ShardOptions whole) {
    long ownBytes = whole.tableBytes() / 100 * OWNER_PERCENT;
    try {
      return copyInto(rules, whole.with(ownBytes));
    } catch (FolderException e) {
      return copyInto(rules, whole);
    }
  }

  /* What could not be copied whole is dropped: no number of a rule waits for its sweep (R12). */
  private Contents copyInto(Rules rules, ShardOptions own) {
    Contents to = Shard.contents(rules, own, /* isTracked= */ true);
    try {
      copy(contents, to, stampNanos);
      return to;
    } catch (RuntimeException e) {
      to.table().end();
      throw e;
    }
  }

  /** Ends the ownership, if there is any. What is not accepted by now does not count. */
  public void end() {
    ReplicatedLog log = owner;
    owner = null;
    if (log != null) {
      log.end();
    }
  }

  private static void copy(Contents from, Contents to, long nowNanos) {
    Applier applier = new Applier(to, nowNanos, /* share= */ 0, /* shares= */ 1);
    Chunks.Output output =
        new Chunks.Output() {
          @Override
          public long next() {
            return 1;
          }

          @Override
          public void append(Frame frame) {
            applier.apply(frame.finish().position(Frame.HEAD + Frame.STAMP));
          }
        };
    try {
      Chunks chunks = new Chunks(output, new Frame(from.rules()), nowNanos);
      from.list(chunks, nowNanos);
      chunks.end();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What is here now, to be written by another thread while entries are applied: replayed from here
   * on, the log makes up for what it holds of later entries, since each overwrites (R8).
   */
  public final class Copy {
    private final Contents listed = contents;
    private final Header header;
    private final long nanos = stampNanos;

    private Copy(long index) {
      int stripes = listed.table().stripeCount();
      this.header =
          new Header(Header.Kind.SNAPSHOT, index, Header.Origin.EMPTY, stripes, term, number);
    }

    /** Writes it into a file, and returns when that is on disk. */
    public void write(Path path) throws IOException {
      try (FileChannel channel =
              FileChannel.open(
                  path,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE);
          FrameFile file = FrameFile.create(channel, header)) {
        new SnapshotFile(file, () -> true).write(listed, nanos);
      }
    }
  }

  /** A copy at an index of the log, where this is whole. */
  public Copy copy(long index) {
    return new Copy(index);
  }

  /** Becomes empty, as before the first entry. */
  public void clear() {
    end();
    if (term != 0) {
      contents = empty(options);
      applier = new Applier(contents, /* nowNanos= */ 0, /* share= */ 0, /* shares= */ 1);
      rulesKept = 0;
      term = 0;
      number = 0;
      stampNanos = 0;
      gathered = null;
    }
  }

  /** Becomes what a file says that {@link Copy#write} has written. Throws if it is damaged. */
  public void read(Path path) throws IOException {
    end();
    FrameScan scan = FrameScan.snapshot(path);
    Header header = scan.header();
    if (header == null || !scan.isWhole()) {
      throw new IOException(path + ": damaged (expected: a whole snapshot)");
    }
    Contents next = empty(options);
    next.table().tracked().expect(scan.states());
    Applier reader = new Applier(next, scan.lastNanos(), /* share= */ 0, /* shares= */ 1);
    reader.apply(scan, scan.count());
    next.table().tracked().forgetChanges();
    contents = next;
    applier = reader;
    rulesKept = next.rules().sharedCount();
    term = header.previous();
    number = header.previousLength();
    stampNanos = scan.lastNanos();
    gathered = null;
  }
}
