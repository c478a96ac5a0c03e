package io.penstock.shard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A share of all notes, under a lock of its own. Thread-safe. */
final class NotePart {
  /** How many ended notes go at a time, so that nobody waits for long. */
  private static final int EXPIRED_AT_ONCE = 64;

  /** One note. Immutable. */
  private static final class Note {
    final NoteId id;
    final long endNanos;
    final byte[] text;

    Note(NoteId id, long endNanos, byte[] text) {
      this.id = id;
      this.endNanos = endNanos;
      this.text = text;
    }

    long endNanos() {
      return endNanos;
    }

    NoteId id() {
      return id;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Notes notes;
  private final @Nullable Pending pending;
  private final Map<NoteId, Note> byId = new HashMap<>();
  private final TreeSet<Note> byEnd =
      new TreeSet<>(Comparator.comparingLong(Note::endNanos).thenComparing(Note::id));

  NotePart(Notes notes, @Nullable LongSupplier generation) {
    this.notes = notes;
    this.pending = generation == null ? null : new Pending(generation);
  }

  void put(NoteId id, long endNanos, byte[] text, boolean isBound) {
    lock.lock();
    try {
      keep(new Note(id, endNanos, text.clone()), isBound);
      if (pending != null) {
        Records.note(pending.now(), id, endNanos, text);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Without logging, while others may list (R8); the bound is the owner's (R11). */
  void restore(NoteId id, long endNanos, byte[] text) {
    lock.lock();
    try {
      keep(new Note(id, endNanos, text), /* isBound= */ false);
    } finally {
      lock.unlock();
    }
  }

  private void keep(Note note, boolean isBound) {
    Note before = byId.get(note.id);
    int notesMore = before == null ? 1 : 0;
    int bytesMore = note.text.length - (before == null ? 0 : before.text.length);
    if (isBound) {
      notes.takeRoom(notesMore, bytesMore);
    } else {
      notes.countRoom(notesMore, bytesMore);
    }
    if (before != null) {
      byEnd.remove(before);
    }
    byId.put(note.id, note);
    byEnd.add(note);
  }

  byte @Nullable [] get(NoteId id, long nowNanos) {
    lock.lock();
    try {
      Note note = byId.get(id);
      return note == null || note.endNanos <= nowNanos ? null : note.text.clone();
    } finally {
      lock.unlock();
    }
  }

  void remove(NoteId id) {
    lock.lock();
    try {
      if (pending != null) {
        Records.noteGone(pending.now(), id);
      }
      forget(id);
    } finally {
      lock.unlock();
    }
  }

  void restoreGone(NoteId id) {
    lock.lock();
    try {
      forget(id);
    } finally {
      lock.unlock();
    }
  }

  private void forget(NoteId id) {
    Note note = byId.remove(id);
    if (note != null) {
      byEnd.remove(note);
      notes.countRoom(-1, -note.text.length);
    }
  }

  /* Not logged: the end is in the note, and whoever reads it later knows the time. */
  void expire(long nowNanos) {
    lock.lock();
    try {
      for (int i = 0; i < EXPIRED_AT_ONCE; i++) {
        if (byEnd.isEmpty() || byEnd.first().endNanos > nowNanos) {
          return;
        }
        forget(byEnd.first().id);
      }
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

  void list(Chunks chunks, Predicate<NoteId> chosen) {
    for (Note note : all()) {
      if (chosen.test(note.id)) {
        Records.note(chunks.frame().records(), note.id, note.endNanos, note.text);
        chunks.mayEnd();
      }
    }
  }

  void forEach(Notes.Sink sink) {
    for (Note note : all()) {
      sink.accept(note.id.high(), note.id.low(), note.text.clone());
    }
  }

  private List<Note> all() {
    lock.lock();
    try {
      return new ArrayList<>(byId.values());
    } finally {
      lock.unlock();
    }
  }
}
