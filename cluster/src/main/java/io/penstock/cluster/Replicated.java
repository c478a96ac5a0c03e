package io.penstock.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a group keeps the same on each of its nodes. Called by one thread per group, in the order of
 * the log, but for {@link #follows} and {@link #received}.
 */
public interface Replicated {
  /**
   * Applies an entry that a quorum has. What it answers reaches whoever submitted the entry on this
   * node. If it throws, this node cannot go on as a member of the group: not before there is room
   * on its disk if that is an IOException, and never if it is another.
   *
   * @param term the term in which the entry came into the log
   */
  byte[] apply(long term, long index, ByteBuffer entry) throws IOException;

  /** This node leads: everything before the term is applied (R3). */
  void leads(long term);

  /** This node does not lead any more, or its state is about to be replaced. */
  void follows();

  /** A leader that is alive has just sent an entry; it may never be applied (R15). */
  void received(ByteBuffer entry);

  /** What to save of the state as it is now, at an index; null if that is not possible now. */
  @Nullable Saving saving(long index);

  /** Becomes empty, as before the first entry: nothing is saved, and the log comes from there. */
  void clear();

  /** Becomes what a file says that was saved. */
  void read(Path file) throws IOException;

  /** Writes a state while others go on with it; on a thread of its own (R8). */
  @FunctionalInterface
  interface Saving {
    void write(Path file) throws IOException;
  }
}
