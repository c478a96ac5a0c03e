package io.penstock.shard;

/** A rule that the nodes of a simulated cluster do not follow, to see that it is noticed. */
enum Flaw {
  NONE,
  /** R1: an entry counts whatever its term and number are. */
  UNFENCED,
  /** R2: an answer leaves when its entry is on its way, not when it counts. */
  HASTY,
  /** R3: an owner begins before it has applied everything. */
  BEHIND
}
