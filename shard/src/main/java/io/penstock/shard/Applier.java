package io.penstock.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Restorer;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts back what frames hold: of all states a share, and one of the shares all else. Confined to
 * one thread; each share has its own, and reads every frame in order.
 */
final class Applier {
  private static final int WORDS_MIN = 3;

  private final Contents contents;
  private final Rules rules;
  private final Restorer restorer;
  private final int share;
  private final int shares;
  private final Map<String, Rule> byText = new HashMap<>();
  private Rule[] named = new Rule[16];
  private int namedCount;
  private long[] words = new long[WORDS_MIN];
  private long nowNanos;
  private Freight.@Nullable Shift shift;

  Applier(Contents contents, long nowNanos, int share, int shares) {
    this.contents = contents;
    this.rules = contents.rules();
    this.restorer = contents.table().tracked().restorer(nowNanos);
    this.nowNanos = nowNanos;
    this.share = share;
    this.shares = shares;
  }

  /**
   * One that takes over what another shard has packed: it comes into the log of this one, at the
   * time of this one (R23).
   */
  static Applier ofFreight(Contents contents, Freight.Shift shift) {
    Applier applier =
        new Applier(contents, contents.clock().nanos(), /* share= */ 0, /* shares= */ 1);
    applier.shift = shift;
    return applier;
  }

  void apply(FrameScan scan, int frames) throws IOException {
    try (FileBytes bytes = new FileBytes(scan.path())) {
      for (int i = 0; i < frames; i++) {
        long at = scan.offset(i);
        int length = bytes.at(at, Integer.BYTES).getInt();
        apply(bytes.at(at + Frame.HEAD, length).position(Frame.STAMP));
      }
    }
  }

  /** Goes on to a later time: what is over by then may go. */
  void goOnTo(long laterNanos) {
    nowNanos = laterNanos;
    restorer.goOnTo(laterNanos);
  }

  /** Puts back what one frame holds: its records, all of them. */
  void apply(ByteBuffer records) {
    namedCount = 0;
    while (records.hasRemaining()) {
      record(records);
    }
  }

  private void record(ByteBuffer from) {
    byte kind = from.get();
    switch (kind) {
      case Records.RULE -> name(rule(new String(bytes(from, from.getShort()), UTF_8)));
      case Records.GIVEN_RULE -> name(requireNonNull(rules.bySerial(from.getLong())));
      case Records.STATE_ONE, Records.STATE_THREE, Records.STATE_LOG -> state(kind, from);
      case Records.ID -> id(from);
      case Records.NOTE -> note(from);
      case Records.NOTE_GONE -> noteGone(new NoteId(from.getLong(), from.getLong()));
      case Records.END -> from.getLong();
      default -> throw new IllegalStateException("record: " + kind + " (expected: 1 to 9)");
    }
  }

  private static byte[] bytes(ByteBuffer from, int length) {
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private Rule rule(String text) {
    return byText.computeIfAbsent(
        text,
        key -> {
          int space = key.indexOf(' ');
          Limit limit = Limit.parse(key.substring(space + 1));
          return rules.shared(limit, Algorithm.named(key.substring(0, space)));
        });
  }

  private void name(Rule rule) {
    if (namedCount == named.length) {
      named = Arrays.copyOf(named, 2 * namedCount);
    }
    named[namedCount++] = rule;
  }

  private void state(byte kind, ByteBuffer from) {
    Rule rule = named[from.getShort() & 0xFFFF];
    long hash = from.getLong();
    int length = kind == Records.STATE_LOG ? from.getInt() : WORDS_MIN;
    if (words.length < length) {
      words = new long[length];
    }
    words[0] = from.getLong();
    for (int i = 1; i < length; i++) {
      words[i] = kind == Records.STATE_ONE ? 0 : from.getLong();
    }
    if (shift != null) {
      shift.words(rule, words, length);
    }
    if (contents.table().stripe(hash) % shares == share
        && !restorer.restore(hash, rule, words, length)) {
      throw new FolderException(
          "memory: "
              + contents.table().bytesMax()
              + " bytes (expected: enough for what is stored)");
    }
  }

  private void id(ByteBuffer from) {
    long hash = from.getLong();
    long check = from.getLong();
    long nanos = from.getLong();
    byte[] answer = bytes(from, from.getInt());
    IdWindow window = Marks.isMark(answer) ? contents.marks().window() : contents.ids();
    if (shift != null) {
      window.take(hash, check, nanos + shift.nanos(), answer);
    } else if (share == 0 && nanos > nowNanos - window.ageNanosMax()) {
      window.restore(hash, check, nanos, answer);
    }
  }

  private void note(ByteBuffer from) {
    NoteId id = new NoteId(from.getLong(), from.getLong());
    long endNanos = from.getLong();
    byte[] text = bytes(from, from.getInt());
    if (shift != null) {
      byte[] later = shift.note(id, text);
      if (later != null) {
        contents.notes().put(id.high(), id.low(), later, endNanos + shift.nanos());
      }
    } else if (share == 0 && endNanos > nowNanos) {
      contents.notes().restore(id, endNanos, text);
    } else {
      noteGone(id);
    }
  }

  private void noteGone(NoteId id) {
    if (share == 0) {
      contents.notes().restoreGone(id);
    }
  }
}
