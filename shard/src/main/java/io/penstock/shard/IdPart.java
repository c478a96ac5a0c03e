package io.penstock.shard;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A share of all request ids, under a lock of its own. Thread-safe. */
final class IdPart {
  /*
   * Records lie in a ring, oldest first (IdRing). An index of open addressing finds them: each
   * entry is where a record lies, plus one. Deleting moves later entries of the same run up, so
   * that there are no tombstones.
   */
  private static final int INDEX_MIN = 16;
  private static final int EXPIRED_AT_ONCE = 64;
  private static final int LISTED_AT_ONCE = 512;

  private final ReentrantLock lock = new ReentrantLock();
  private final int idsMax;
  private final IdRing ring;
  private final @Nullable Pending pending;
  private int[] index = new int[INDEX_MIN];
  private int size;
  private long dropped;
  private boolean isShort;

  IdPart(int idsMax, long bytesMax, @Nullable LongSupplier generation) {
    this.idsMax = idsMax;
    this.ring = new IdRing(bytesMax);
    this.pending = generation == null ? null : new Pending(generation);
  }

  byte @Nullable [] get(long hash, long check, long oldestNanos) {
    lock.lock();
    try {
      int slot = find(hash, check);
      return slot < 0 || ring.nanos(at(slot)) < oldestNanos ? null : ring.answer(at(slot));
    } finally {
      lock.unlock();
    }
  }

  void put(long hash, long check, long nanos, byte[] answer, long oldestNanos) {
    lock.lock();
    try {
      dropOlderThan(oldestNanos);
      keep(hash, check, nanos, answer);
      if (pending != null) {
        Records.id(pending.now(), hash, check, nanos, answer);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Remembers without logging; others may list meanwhile (R8). */
  void restore(long hash, long check, long nanos, byte[] answer) {
    lock.lock();
    try {
      keep(hash, check, nanos, answer);
    } finally {
      lock.unlock();
    }
  }

  private void keep(long hash, long check, long nanos, byte[] answer) {
    int before = find(hash, check);
    if (before >= 0) {
      removeSlot(before);
    }
    while (size >= idsMax || !ring.hasRoom(answer.length)) {
      isShort = true;
      dropped += isOldestDropped() ? 1 : 0;
    }
    if (2 * (size + 1) > index.length) {
      growIndex();
    }
    insert(ring.add(hash, check, nanos, answer));
  }

  private void insert(int record) {
    int slot = home(ring.hash(record));
    while (index[slot] != 0) {
      slot = next(slot);
    }
    index[slot] = record + 1;
    size++;
  }

  private void growIndex() {
    int[] before = index;
    index = new int[2 * before.length];
    size = 0;
    for (int entry : before) {
      if (entry != 0) {
        insert(entry - 1);
      }
    }
  }

  /** Drops the oldest record of the ring; false if a younger one of the same id is there. */
  private boolean isOldestDropped() {
    int record = ring.oldest();
    int slot = find(ring.hash(record), ring.check(record));
    boolean found = slot >= 0 && at(slot) == record;
    if (found) {
      removeSlot(slot);
    }
    ring.dropOldest();
    return found;
  }

  void expire(long oldestNanos) {
    lock.lock();
    try {
      dropOlderThan(oldestNanos);
    } finally {
      lock.unlock();
    }
  }

  private void dropOlderThan(long oldestNanos) {
    for (int i = 0; i < EXPIRED_AT_ONCE && !ring.isEmpty(); i++) {
      if (ring.nanos(ring.oldest()) >= oldestNanos) {
        return;
      }
      isShort = false;
      isOldestDropped();
    }
  }

  private int at(int slot) {
    return index[slot] - 1;
  }

  private int home(long hash) {
    return (int) hash & (index.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (index.length - 1);
  }

  private int find(long hash, long check) {
    for (int slot = home(hash); index[slot] != 0; slot = next(slot)) {
      if (ring.hash(at(slot)) == hash && ring.check(at(slot)) == check) {
        return slot;
      }
    }
    return -1;
  }

  private void removeSlot(int slot) {
    int hole = slot;
    for (int i = next(slot); index[i] != 0; i = next(i)) {
      int distance = (i - home(ring.hash(at(i)))) & (index.length - 1);
      if (distance >= ((i - hole) & (index.length - 1))) {
        index[hole] = index[i];
        hole = i;
      }
    }
    index[hole] = 0;
    size--;
  }

  int size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  long windowNanos(long nowNanos, long most) {
    lock.lock();
    try {
      return isShort && !ring.isEmpty() ? nowNanos - ring.nanos(ring.oldest()) : most;
    } finally {
      lock.unlock();
    }
  }

  void drain(long generation, Frame frame) {
    if (pending == null) {
      return;
    }
    lock.lock();
    try {
      frame.records().take(pending.of(generation));
    } finally {
      lock.unlock();
    }
  }

  /** Lists some records from a position on, of some hashes; answers where to go on, or -1. */
  long list(long from, Frame frame, LongPredicate hashes) {
    lock.lock();
    try {
      long position = ring.first(from);
      for (int i = 0; i < LISTED_AT_ONCE && position >= 0; i++) {
        int record = ring.at(position);
        long hash = ring.hash(record);
        if (hashes.test(hash)) {
          Records.id(
              frame.records(), hash, ring.check(record), ring.nanos(record), ring.answer(record));
        }
        position = ring.after(position);
      }
      return position;
    } finally {
      lock.unlock();
    }
  }
}
