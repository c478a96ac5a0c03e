package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is inside a table that nobody writes to, and whether it is in order. */
final class Inside {
  /** A slot that is not empty. */
  record Slot(int stripe, int place, long header, long block) {
    int width() {
      return Slots.isWide(header) ? 2 : 1;
    }

    boolean isGivenUp() {
      return Slots.rule(header) == Rules.NOBODY;
    }

    long hash() {
      return Slots.hash(header, stripe);
    }
  }

  private final StateTable table;
  private final Cells cells;

  Inside(StateTable table) {
    this.table = table;
    this.cells = table.cells();
  }

  List<Slot> slots(int stripe) {
    List<Slot> slots = new ArrayList<>();
    int places = cells.stripes().pageCount(stripe) * Slots.PER_PAGE;
    int place = 0;
    while (place < places) {
      long header = cells.pages().get(stripe, place, 0);
      boolean wide = Slots.isWide(header);
      if (header != 0) {
        assertThat(wide && place % 2 == 1).as("wide slot at odd place %d", place).isFalse();
        boolean log = Slots.kind(header) == Slots.LOG;
        long block = log ? cells.pages().get(stripe, place, 3) : 0;
        slots.add(new Slot(stripe, place, header, block));
      }
      place += wide ? 2 : 1;
    }
    return slots;
  }

  /** Every rule of the layout, in every stripe. */
  void check() {
    Map<Long, Long> blocks = new HashMap<>();
    for (int stripe = 0; stripe < cells.stripes().count(); stripe++) {
      Set<Long> hashes = new HashSet<>();
      int used = 0;
      for (Slot slot : slots(stripe)) {
        used += slot.width();
        if (!slot.isGivenUp()) {
          assertThat(hashes.add(slot.hash())).as("key %x only once", slot.hash()).isTrue();
          assertThat(find(slot.hash())).as("%s is found", slot).isEqualTo(slot.place());
        }
        if (slot.block() != 0) {
          Long before = blocks.put(slot.block(), slot.hash());
          assertThat(before).as("block of %s only once", slot).isNull();
        }
      }
      assertThat(used(stripe)).as("used slots of stripe %d", stripe).isEqualTo(used);
    }
    Map<Long, Long> taken = blocksTaken();
    taken.replaceAll((block, owner) -> Slots.hash(owner, table.stripe(owner)));
    assertThat(taken).as("blocks taken").isEqualTo(blocks);
    assertThat(table.bytes()).as("bytes").isEqualTo(realBytes()).isLessThanOrEqualTo(bytesMax());
  }

  /** The place of a hash, found as a decision finds it, or {@link Pages#NOWHERE}. */
  int find(long hash) {
    return cells.find(hash, table.stripe(hash));
  }

  private long bytesMax() {
    return table.bytesMax();
  }

  private int used(int stripe) {
    return ((int[]) get(get(cells, "room"), "used"))[stripe];
  }

  /** The owners of all blocks that are taken, which lie side by side in their areas. */
  private Map<Long, Long> blocksTaken() {
    Map<Long, Long> owners = new HashMap<>();
    Buddies buddies = (Buddies) get(get(cells, "blockRoom"), "buddies");
    for (int area = 0; area < areas().length; area++) {
      long start = (area + 1L) << (Buddies.SIZES - 1);
      long block = start;
      while (block < start + lines(areas()[area])) {
        if (buddies.owner(block) != 0) {
          owners.put(block, buddies.owner(block));
        }
        block += 1L << buddies.size(block);
      }
      assertThat(block - start).as("end of area %d", area).isEqualTo(lines(areas()[area]));
    }
    return owners;
  }

  private LongBuffer[] areas() {
    return (LongBuffer[]) get(get(get(cells, "blockRoom"), "buddies"), "areas");
  }

  private static int lines(LongBuffer area) {
    return Integer.highestOneBit(area.capacity() / Memory.LINE_WORDS);
  }

  private long realBytes() {
    int slabs = (int) get(cells.pages(), "count");
    int wordsPerSlab = cells.stripes().count() * Pages.PER_SLAB * Memory.LINE_WORDS;
    long bytes = slabs * Memory.bytes(wordsPerSlab);
    for (LongBuffer area : areas()) {
      bytes += Memory.bytes((long) lines(area) * Memory.LINE_WORDS);
    }
    return bytes;
  }

  /** A private field: counters that no answer shows until it is too late. */
  private static Object get(Object owner, String name) {
    try {
      Field field = owner.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this test looks for a field that is gone: " + name, e);
    }
  }

  /** Whether the log of a key, if it has a slot, has so many entries. */
  static boolean holds(StateTable table, long key, int entries) {
    int stripe = table.stripe(key);
    int place = table.cells().find(key, stripe);
    long block = place < 0 ? 0 : table.cells().block(stripe, place);
    if (block == 0) {
      return entries == 0 || place < 0;
    }
    Turn turn = new Turn();
    table.cells().read(turn, stripe, place, table.cells().pages().get(stripe, place, 0));
    boolean holds = turn.step().log().size() == entries;
    turn.step().log().clear();
    return holds;
  }
}
