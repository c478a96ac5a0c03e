package io.penstock.server.policy;

import org.jspecify.annotations.Nullable;

/**
 * Which group decides on a shard, as the nodes of a cluster have agreed (R16, R23). Immutable.
 *
 * @param group the number of the group; {@link #NONE} for the one that it began in
 * @param generation the move that brought it there; 0 if none did
 * @param last the last move that was begun, whatever became of it; 0 if none was
 * @param next the group that it moves to; {@link #NONE} if it does not move
 */
public record Placement(int shard, int group, long generation, long last, int next) {
  public static final int NONE = -1;

  /** Of a shard that was never moved. */
  public static Placement first(int shard) {
    return new Placement(shard, NONE, /* generation= */ 0, /* last= */ 0, NONE);
  }

  public boolean isMoving() {
    return next != NONE;
  }

  /** Whether a move has ended, and the shard is not where that would have brought it. */
  public boolean isAborted(long number) {
    return last > number ? generation != number : last == number && !isMoving() && !has(number);
  }

  private boolean has(long number) {
    return generation == number;
  }

  /** What it is after a step; null if the step does not follow. One that is done does nothing. */
  public @Nullable Placement after(MoveStep step) {
    long number = step.number();
    boolean isNow = isMoving() && last == number;
    return switch (step.act()) {
      case BEGIN ->
          isMoving() || number != last + 1
              ? null
              : new Placement(shard, group, generation, number, step.group());
      case COMMIT ->
          isNow ? new Placement(shard, next, number, number, NONE) : has(number) ? this : null;
      case ABORT ->
          isNow
              ? new Placement(shard, group, generation, number, NONE)
              : isAborted(number) ? this : null;
    };
  }
}
