package io.penstock.shard;

/** Says that there is no room for another note. */
public final class NotesFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotesFullException(long notes, long bytes) {
    super("notes: " + notes + " with " + bytes + " bytes (expected: fewer; none was forgotten)");
  }
}
