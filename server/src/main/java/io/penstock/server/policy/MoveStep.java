package io.penstock.server.policy;

/**
 * One step of the move of a shard, as all nodes carry it out in the same order (R23). Immutable.
 *
 * @param number the id of the move: one more than that of the last move of the shard
 * @param group where it moves; only its beginning says so
 */
public record MoveStep(Act act, int shard, long number, int group) {
  /** What becomes of a move. */
  public enum Act {
    BEGIN,
    /** The shard is where it moves to: nothing else makes it so. */
    COMMIT,
    ABORT
  }

  public static MoveStep begin(int shard, long number, int group) {
    return new MoveStep(Act.BEGIN, shard, number, group);
  }

  public static MoveStep commit(int shard, long number) {
    return new MoveStep(Act.COMMIT, shard, number, Placement.NONE);
  }

  public static MoveStep abort(int shard, long number) {
    return new MoveStep(Act.ABORT, shard, number, Placement.NONE);
  }
}
