package io.penstock.shard;

/**
 * What was found in a folder, and how its journal goes on. Immutable.
 *
 * @param base what the next journal builds on
 * @param lastJournal the number of the last journal that counts
 * @param lastLength how far it counts
 * @param nextNumber a number that no file has
 * @param journalBytes what was read from journals
 * @param snapshotBytes what was read from a snapshot
 * @param lastNanos the newest time that any frame names
 * @param discarded what was not whole
 */
record Recovered(
    Header.Origin base,
    long lastJournal,
    long lastLength,
    long nextNumber,
    long journalBytes,
    long snapshotBytes,
    long lastNanos,
    Discarded discarded) {}
