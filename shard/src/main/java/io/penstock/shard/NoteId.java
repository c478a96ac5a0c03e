package io.penstock.shard;

/** The 128 bits by which a note is found again. Immutable. */
record NoteId(long high, long low) implements Comparable<NoteId> {
  @Override
  public int compareTo(NoteId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }
}
