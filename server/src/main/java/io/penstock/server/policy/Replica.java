package io.penstock.server.policy;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store as one of several that carry out the same log: it writes nothing by itself (R16).
 * Thread-safe.
 */
final class Replica {
  private final StoreWriter writer;
  private final Proposer proposer;

  /** The entry that failed, before which no later one is carried out; 0 if none did. */
  private long stuckAt;

  private final List<Consumer<Placement>> listeners = new CopyOnWriteArrayList<>();
  private final List<Consumer<LateGroup>> groupListeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable String trouble;

  Replica(StoreWriter writer, Proposer proposer) {
    this.writer = writer;
    this.proposer = proposer;
    writer.alsoTell(this::tellAll);
  }

  /** Has an entry carried out by all, and says what became of it, or throws why not. */
  Written propose(LogEntry entry) {
    return Settlement.read(proposer.propose(entry.encode()));
  }

  /**
   * Carries out an entry, in one transaction with its index, and says what became of it. One that
   * was carried out before does nothing. One that fails is not skipped: later ones fail too.
   */
  synchronized byte[] apply(long index, byte[] entry) {
    try {
      if (stuckAt != 0 && index > stuckAt) {
        throw new IllegalStateException(
            "entry: " + index + " (expected: " + stuckAt + ", which has failed)");
      }
      stuckAt = stuckAt == 0 ? index : stuckAt;
      byte[] settlement = writer.alone(rows -> carryOut(rows, index, entry));
      done(index);
      return settlement;
    } catch (RuntimeException e) {
      trouble = "policies: this node cannot follow the others: " + e.getMessage();
      throw e;
    }
  }

  private byte[] carryOut(Rows rows, long index, byte[] bytes) throws SQLException {
    if (index <= rows.applied()) {
      return Settlement.UNKNOWN;
    }
    if (!writer.isPlanned()) {
      throw new IllegalStateException("plan: none (expected: planBy before the first entry)");
    }
    LogEntry entry = LogEntry.decode(bytes);
    rows.begin();
    rows.applied(index);
    if (entry instanceof LogEntry.Document document) {
      Attempt attempt = writer.attempt(rows, document.at());
      attempt.carryOut(document.write());
      writer.commit(rows, attempt);
      return Settlement.of(document.write());
    }
    if (entry instanceof LogEntry.Move move) {
      return carryOut(rows, move.step());
    }
    if (entry instanceof LogEntry.Grow grow) {
      return carryOut(rows, grow.group());
    }
    if (entry instanceof LogEntry.Secret agreed) {
      rows.secretIfAbsent(agreed.bytes());
    }
    writer.commit(rows, writer.attempt(rows, Instant.EPOCH));
    return Settlement.of(new Written(/* version= */ 0, List.of()));
  }

  private byte[] carryOut(Rows rows, MoveStep step) throws SQLException {
    Placement before = rows.placements().of(step.shard());
    Placement next = before.after(step);
    if (next != null) {
      rows.placements().put(next);
    }
    writer.commit(rows, writer.attempt(rows, Instant.EPOCH));
    if (next == null) {
      return Settlement.of(
          new VersionConflictException(
              "move: " + step + " (expected: one that follows " + before + ")"));
    }
    tell(List.of(next));
    return Settlement.of(new Written(step.number(), List.of()));
  }

  private byte[] carryOut(Rows rows, LateGroup proposed) throws SQLException {
    List<LateGroup> before = rows.lateGroups().all();
    LateGroup next = proposed.after(before);
    if (next != null) {
      rows.lateGroups().put(next);
    }
    writer.commit(rows, writer.attempt(rows, Instant.EPOCH));
    if (next == null) {
      return Settlement.of(
          new VersionConflictException(
              "group: " + proposed + " (expected: one that follows " + before + ")"));
    }
    groupListeners.forEach(each -> each.accept(next));
    return Settlement.of(new Written(next.number(), List.of()));
  }

  /** Calls somebody with each change of a group that came into being later. Must not block. */
  void onLateGroup(Consumer<LateGroup> listener) {
    groupListeners.add(listener);
  }

  /** Calls somebody with each change of where a shard is, in order. Must not block. */
  void onPlacement(Consumer<Placement> listener) {
    listeners.add(listener);
  }

  private void tell(List<Placement> placements) {
    placements.forEach(placement -> listeners.forEach(each -> each.accept(placement)));
  }

  /* Whoever listens may have been told before, and knows. Groups before what is in them. */
  private void tellAll(Rows rows) throws SQLException {
    rows.lateGroups().all().forEach(group -> groupListeners.forEach(each -> each.accept(group)));
    tell(rows.placements().all());
  }

  /** Takes over a copy of a store that has carried out more of the same log; says if it has. */
  synchronized boolean load(StoreCopy copy) {
    boolean more =
        writer.alone(
            rows -> {
              if (copy.applied() <= rows.applied()) {
                return false;
              }
              rows.replaceBy(copy.file());
              writer.succeeded();
              writer.publishSince(rows);
              return true;
            });
    done(copy.applied());
    return more;
  }

  private void done(long index) {
    if (index >= stuckAt) {
      stuckAt = 0;
      trouble = null;
    }
  }

  /** Why this node cannot go on as one of the cluster; null if it can. */
  @Nullable String trouble() {
    return trouble;
  }
}
