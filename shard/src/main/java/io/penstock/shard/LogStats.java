package io.penstock.shard;

/**
 * What a log has done since it was opened. Immutable.
 *
 * @param frames how many frames were written
 * @param syncs how many times it waited for the disk
 * @param journalBytes what was written since the last snapshot
 * @param snapshotBytes the length of the last snapshot
 * @param snapshots how many snapshots were published
 * @param failures how often the disk failed
 */
public record LogStats(
    long frames, long syncs, long journalBytes, long snapshotBytes, long snapshots, long failures) {
  static final LogStats NONE = new LogStats(0, 0, 0, 0, 0, 0);
}
