package io.penstock.shard;

import org.jspecify.annotations.Nullable;

/**
 * What was not used of a folder, because it is not whole. Immutable.
 *
 * @param bytes how many, also of a write that a kill has cut short
 * @param damage which files are damaged or missing, without paths: a kill does not do that; null if
 *     none is
 */
public record Discarded(long bytes, @Nullable String damage) {
  static final Discarded NOTHING = new Discarded(0, /* damage= */ null);
}
