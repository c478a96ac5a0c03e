package io.penstock.shard;

import java.nio.ByteBuffer;

/** How request ids and notes are written in frames: a byte for the kind, then the fields. */
final class Records {
  static final byte RULE = 1;
  static final byte GIVEN_RULE = 2;
  static final byte STATE_ONE = 3;
  static final byte STATE_THREE = 4;
  static final byte STATE_LOG = 5;
  static final byte ID = 6;
  static final byte NOTE = 7;
  static final byte NOTE_GONE = 8;
  static final byte END = 9;
  static final int END_BYTES = 1 + Long.BYTES;

  private static final int ID_HEAD = 1 + 3 * Long.BYTES + Integer.BYTES;
  private static final int NOTE_HEAD = 1 + 3 * Long.BYTES + Integer.BYTES;

  private Records() {}

  static void id(Bytes bytes, long hash, long check, long nanos, byte[] answer) {
    if (bytes.hasRoom(ID_HEAD + answer.length)) {
      ByteBuffer to = bytes.buffer().put(ID).putLong(hash).putLong(check).putLong(nanos);
      to.putInt(answer.length).put(answer);
    }
  }

  static void note(Bytes bytes, NoteId id, long endNanos, byte[] text) {
    if (bytes.hasRoom(NOTE_HEAD + text.length)) {
      ByteBuffer to = bytes.buffer().put(NOTE).putLong(id.high()).putLong(id.low());
      to.putLong(endNanos).putInt(text.length).put(text);
    }
  }

  static void noteGone(Bytes bytes, NoteId id) {
    if (bytes.hasRoom(NOTE_HEAD)) {
      bytes.buffer().put(NOTE_GONE).putLong(id.high()).putLong(id.low());
    }
  }
}
