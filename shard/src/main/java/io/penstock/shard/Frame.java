package io.penstock.shard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.StateSink;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What is written at once and read back whole or not at all: states, ids, notes and the time, under
 * one checksum (R9). A reused buffer. Confined to one thread.
 */
final class Frame implements StateSink {
  /*
   * Length of the rest (4 bytes), checksum of the rest (4), number in the file (8), time (8), then
   * records: a byte for the kind and its fields, little-endian. A frame names each rule before the
   * first state under it, so that it can be read without any other frame.
   */
  static final int HEAD = 8;
  static final int STAMP = 16;
  static final int BYTES_MAX = 64 << 20;

  private static final int NANOS_AT = HEAD + Long.BYTES;
  private static final int RULES_MAX = 0xFFFF;
  private static final int STATE_HEAD = 1 + Short.BYTES + Long.BYTES;

  private final Rules rules;
  private final RuleIndex index = new RuleIndex();
  private final Bytes bytes = new Bytes(BYTES_MAX, /* direct= */ true);
  private final CRC32C crc = new CRC32C();

  Frame(Rules rules) {
    this.rules = rules;
  }

  /** Empties the frame and gives it its number in the file. */
  Frame begin(long number) {
    bytes.clear();
    index.clear();
    if (bytes.hasRoom(HEAD + STAMP)) {
      bytes.buffer().putLong(0).putLong(number).putLong(0);
    }
    return this;
  }

  void time(long nanos) {
    bytes.buffer().putLong(NANOS_AT, nanos);
  }

  /** Where records go that are not states. */
  Bytes records() {
    return bytes;
  }

  @Override
  public void accept(long hash, long rule, long[] words, int from, int length) {
    int number = index.find(rule);
    number = number == RuleIndex.NEW ? name(rule) : number;
    if (number == RuleIndex.NEW) {
      return;
    }
    boolean one = length == 3 && words[from + 1] == 0 && words[from + 2] == 0;
    int count = one ? 1 : length;
    if (!bytes.hasRoom(STATE_HEAD + Integer.BYTES + count * Long.BYTES)) {
      return;
    }
    byte kind = one ? Records.STATE_ONE : length == 3 ? Records.STATE_THREE : Records.STATE_LOG;
    ByteBuffer to = bytes.buffer().put(kind).putShort((short) number).putLong(hash);
    if (kind == Records.STATE_LOG) {
      to.putInt(length);
    }
    for (int i = 0; i < count; i++) {
      to.putLong(words[from + i]);
    }
  }

  /* A rule that nobody remembers is so long over that its states say nothing any more. */
  private int name(long serial) {
    Rule rule = rules.bySerial(serial);
    if (rule == null || index.size() > RULES_MAX) {
      return RuleIndex.NEW;
    }
    if (serial < 0 && bytes.hasRoom(1 + Long.BYTES)) {
      bytes.buffer().put(Records.GIVEN_RULE).putLong(serial);
    } else if (serial >= 0) {
      byte[] text = (rule.algorithm().name() + " " + rule.limit()).getBytes(UTF_8);
      if (bytes.hasRoom(1 + Short.BYTES + text.length)) {
        bytes.buffer().put(Records.RULE).putShort((short) text.length).put(text);
      }
    }
    return index.add(serial);
  }

  /** Says that this is the last frame of a file with so many states. */
  void last(long states) {
    if (bytes.hasRoom(Records.END_BYTES)) {
      bytes.buffer().put(Records.END).putLong(states);
    }
  }

  boolean isEmpty() {
    return bytes.size() == HEAD + STAMP && !bytes.overflowed();
  }

  int size() {
    return bytes.size();
  }

  boolean overflowed() {
    return bytes.overflowed();
  }

  /** The whole frame, ready to be written. */
  ByteBuffer finish() {
    ByteBuffer whole = bytes.buffer().duplicate().order(bytes.buffer().order()).flip();
    crc.reset();
    crc.update(whole.position(HEAD));
    whole.putInt(0, whole.limit() - HEAD).putInt(Integer.BYTES, (int) crc.getValue());
    return whole.rewind();
  }
}
