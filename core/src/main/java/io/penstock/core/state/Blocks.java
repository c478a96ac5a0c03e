package io.penstock.core.state;

import io.penstock.core.Log;
import io.penstock.core.algorithm.Wide;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The rings of states that are longer than a slot, in blocks of 4, 8, 16… entries. Thread-safe for
 * taking and freeing blocks; what is in a block belongs to the stripe whose state names it.
 */
final class Blocks implements Log.Space {
  /*
   * A block is two words (head, number of entries) and two words per entry. Blocks of one size come
   * from chunks of at least 32 KB and go back to a free list of their size. A handle is the index
   * of the block among its size, above five bits for the size; 0 is no block, so indexes start at
   * 1.
   */
  private static final int SIZES = 25;
  private static final int SIZE_BITS = 5;
  private static final int ENTRIES_MIN = 4;

  private static final int HEAD_WORDS = 2;
  private static final int CHUNK_WORDS = 4096;

  private final Budget budget;
  private final Size[] sizes = new Size[SIZES];

  Blocks(Budget budget) {
    this.budget = budget;
    Arrays.setAll(sizes, Size::new);
  }

  /**
   * What a log needs to grow to so many entries: a chunk of every size on the way. Sizes go on here
   * beyond those there are, so that a log which can never fit is told what it would need.
   */
  static long bytesFor(long entries) {
    long bytes = 0;
    for (int number = 0; bytes < Wide.MAX; number++) {
      bytes += Memory.bytes(words(number) * perChunk(number));
      if (entries(number) >= entries) {
        break;
      }
    }
    return bytes;
  }

  /** Whether there is a size for so many entries. */
  static boolean hasSizeFor(long entries) {
    return entries <= entries(SIZES - 1);
  }

  private static long entries(int number) {
    return (long) ENTRIES_MIN << number;
  }

  private static long words(int number) {
    return HEAD_WORDS + 2 * entries(number);
  }

  private static long perChunk(int number) {
    return Math.max(1, CHUNK_WORDS / words(number));
  }

  /** Points a log at the block a state names. */
  void attach(Log log, long handle) {
    if (handle == 0) {
      log.clear();
      return;
    }
    Size size = size(handle);
    int index = index(handle);
    LongBuffer words = size.chunk(index);
    int base = size.base(index);
    log.handle(handle);
    log.attach(words, base + HEAD_WORDS, size.entries);
    log.contents((int) words.get(base), (int) words.get(base + 1));
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
    Size size = size(handle);
    LongBuffer words = size.chunk(index(handle));
    words.put(size.base(index(handle)), log.head());
    words.put(size.base(index(handle)) + 1, log.stored());
    return handle;
  }

  void free(long handle) {
    if (handle != 0) {
      size(handle).free(index(handle));
    }
  }

  @Override
  public boolean grow(Log log, int entries) {
    int number = 0;
    while (number < SIZES && sizes[number].entries < entries) {
      number++;
    }
    int index = number == SIZES ? 0 : sizes[number].take();
    if (index == 0) {
      return false;
    }
    Size size = sizes[number];
    LongBuffer words = size.chunk(index);
    log.moveTo(words, size.base(index) + HEAD_WORDS, size.entries);
    words.put(size.base(index), log.head());
    words.put(size.base(index) + 1, log.stored());
    free(log.handle());
    log.handle((long) index << SIZE_BITS | number);
    return true;
  }

  private Size size(long handle) {
    return sizes[(int) handle & ((1 << SIZE_BITS) - 1)];
  }

  private static int index(long handle) {
    return (int) (handle >>> SIZE_BITS);
  }

  /** All blocks with room for so many entries. */
  private final class Size {
    private final int entries;
    private final int words;
    private final int perChunk;
    private volatile LongBuffer[] chunks = {};
    private int[] free = new int[ENTRIES_MIN];
    private int freeCount;

    Size(int number) {
      entries = (int) entries(number);
      words = (int) Blocks.words(number);
      perChunk = (int) Blocks.perChunk(number);
    }

    LongBuffer chunk(int index) {
      return chunks[(index - 1) / perChunk];
    }

    int base(int index) {
      return (index - 1) % perChunk * words;
    }

    synchronized int take() {
      if (freeCount == 0 && !addChunk()) {
        return 0;
      }
      return free[--freeCount];
    }

    synchronized void free(int index) {
      if (freeCount == free.length) {
        free = Arrays.copyOf(free, 2 * freeCount);
      }
      free[freeCount++] = index;
    }

    private boolean addChunk() {
      LongBuffer chunk = budget.take(words * perChunk);
      if (chunk == null) {
        return false;
      }
      LongBuffer[] more = Arrays.copyOf(chunks, chunks.length + 1);
      more[chunks.length] = chunk;
      int first = chunks.length * perChunk + 1;
      chunks = more;
      for (int i = perChunk - 1; i >= 0; i--) {
        free(first + i);
      }
      return true;
    }
  }
}
