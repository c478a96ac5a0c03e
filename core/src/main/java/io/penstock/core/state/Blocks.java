package io.penstock.core.state;

import io.penstock.core.Log;
import io.penstock.core.algorithm.Wide;
import java.nio.LongBuffer;

/**
 * The rings of states that are longer than a slot, in blocks of 3, 7, 15… entries. Thread-safe for
 * taking and freeing blocks; what is in a block belongs to the stripe whose state names it.
 */
final class Blocks implements Log.Space {
  /*
   * A block is whole cache lines: the hash of the key it belongs to, a word with the head and the
   * number of entries above the size, and two words per entry.
   */
  private static final int ENTRIES_MIN = 3;
  private static final int HEAD_BITS = 26;
  private static final int STORED_SHIFT = Buddies.SIZE_BITS + HEAD_BITS;
  private static final long HEAD_MASK = (1L << HEAD_BITS) - 1;

  private final Buddies buddies;

  Blocks(Buddies buddies) {
    this.buddies = buddies;
  }

  /**
   * What a log needs to grow to so many entries: an area for all that are short, and one for every
   * longer size on the way. Sizes go on here beyond those there are, so that a log which can never
   * fit is told what it would need.
   */
  static long bytesFor(long entries) {
    long bytes = Memory.bytes(words(Buddies.AREA_SIZE_MIN));
    int size = size(entries);
    for (int longer = Buddies.AREA_SIZE_MIN; longer <= size && bytes < Wide.MAX; longer++) {
      bytes += Memory.bytes(words(longer));
    }
    return bytes;
  }

  /** Whether there is a size for so many entries. */
  static boolean hasSizeFor(long entries) {
    return size(entries) < Buddies.SIZES;
  }

  /** The size of the shortest block with room for so many entries. */
  static int size(long entries) {
    return Long.SIZE - Long.numberOfLeadingZeros(entries / (ENTRIES_MIN + 1));
  }

  private static long entries(int size) {
    return (words(size) - Buddies.HEAD_WORDS) / 2;
  }

  private static long words(int size) {
    return (long) Memory.LINE_WORDS << size;
  }

  /** Points a log at the block a state names. */
  void attach(Log log, long handle) {
    if (handle == 0) {
      log.clear();
      return;
    }
    LongBuffer words = buddies.area(handle);
    int base = Buddies.base(handle);
    long contents = words.get(base + 1);
    log.handle(handle);
    log.attach(words, base + Buddies.HEAD_WORDS, (int) entries(buddies.size(handle)));
    log.contents(
        (int) (contents >>> Buddies.SIZE_BITS & HEAD_MASK), (int) (contents >>> STORED_SHIFT));
  }

  /**
   * Keeps head and length of a settled log, frees its block if it is empty, and names the block.
   */
  long keep(Log log) {
    long handle = log.handle();
    if (handle == 0) {
      return 0;
    }
    if (log.stored() == 0) {
      free(handle);
      log.clear();
      return 0;
    }
    note(log, handle);
    return handle;
  }

  private void note(Log log, long handle) {
    long contents = (long) log.stored() << HEAD_BITS | log.head();
    long word = contents << Buddies.SIZE_BITS | buddies.size(handle);
    buddies.area(handle).put(Buddies.base(handle) + 1, word);
  }

  void free(long handle) {
    if (handle != 0) {
      buddies.free(handle);
    }
  }

  @Override
  public boolean grow(Log log, int entries) {
    int size = size(entries);
    long handle = size < Buddies.SIZES ? buddies.take(size) : 0;
    if (handle == 0) {
      return false;
    }
    int base = Buddies.base(handle) + Buddies.HEAD_WORDS;
    log.moveTo(buddies.area(handle), base, (int) entries(size));
    note(log, handle);
    free(log.handle());
    log.handle(handle);
    return true;
  }

  /** Copies a block to another of its size, and names that; 0 if there is none. */
  long move(long handle) {
    int size = buddies.size(handle);
    long moved = buddies.take(size);
    if (moved != 0) {
      LongBuffer from = buddies.area(handle);
      LongBuffer to = buddies.area(moved);
      for (int word = 0; word < words(size); word++) {
        to.put(Buddies.base(moved) + word, from.get(Buddies.base(handle) + word));
      }
    }
    return moved;
  }
}
