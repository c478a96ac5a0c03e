package io.penstock.server.node;

import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Packed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Notes as they are kept: what is written is read, and so is what an earlier format wrote. */
class NoteFormatTest {
  private static final Holding HOLDING =
      new Holding(
          /* settled= */ false,
          /* takenNanos= */ 100,
          /* endNanos= */ 200,
          /* leaseNanos= */ 0,
          "api",
          List.of(
              new Holding.Key(
                  Descriptor.of("user", "42"),
                  /* hash= */ 7,
                  /* afterReset= */ 99,
                  /* cost= */ 3,
                  List.of(
                      new Holding.Claimed(
                          /* counter= */ 5,
                          Limit.parse("10/day"),
                          Algorithm.GCRA,
                          /* ticket= */ 100)))));

  @Test
  void holding_written_isReadAgain() {
    assertThat(Holding.read(HOLDING.write())).isEqualTo(HOLDING);
  }

  /** Characters of one byte, two, three and six, and the one that takes two for none. */
  @Test
  void holding_bytes_areAsManyAsAreWritten() {
    Holding.Key key = HOLDING.keys().get(0);
    Holding odd =
        new Holding(
            /* settled= */ false,
            /* takenNanos= */ 100,
            /* endNanos= */ 200,
            /* leaseNanos= */ 0,
            "apí",
            List.of(key, key.named(Descriptor.of("user", "é€😀\0", "k\u07ff\u0800", "\u007f"))));
    assertThat(HOLDING.bytes()).isEqualTo(HOLDING.write().length);
    assertThat(odd.bytes()).isEqualTo(odd.write().length);
  }

  /** As many as the settings allow. */
  @Test
  void holding_of255KeysEntriesAndClaims_isReadAgain() {
    Holding.Key key = HOLDING.keys().get(0);
    Descriptor wide = new Descriptor(nCopies(255, new Entry("user", "42")));
    Holding.Key widest =
        new Holding.Key(
            wide, key.hash(), key.afterReset(), key.cost(), nCopies(255, key.claims().get(0)));
    List<Holding.Key> keys = new ArrayList<>(nCopies(254, key));
    keys.add(widest);
    Holding holding = new Holding(false, 100, 200, /* leaseNanos= */ 0, "api", keys);
    assertThat(Holding.read(holding.write())).isEqualTo(holding);
  }

  @Test
  void answer_of255Parts_isReadAgain() {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 255; i++) {
      parts.add(
          new Part(
              /* allowed= */ true, "api/user", /* policyVersion= */ i, Why.OK, -1, List.of(), 0));
    }
    Answer answer = new Answer(true, /* deciding= */ 254, parts, 0, Durability.FAST, "n1", true);
    assertThat(AnswerCodec.read(AnswerCodec.write(answer), "n1")).isEqualTo(answer);
  }

  /** It did not tell which reset was the last: every one from its own instant on is later. */
  @Test
  void holding_formatOne_isReadAndAResetOfItsInstantCounts() {
    byte[] bytes =
        Packed.write(
            out -> {
              out.writeBoolean(false);
              out.writeLong(100);
              out.writeLong(200);
              out.writeLong(0);
              out.writeUTF("api");
              out.writeByte(1);
              out.writeLong(7);
              out.writeLong(3);
              out.writeByte(1);
              out.writeUTF("user");
              out.writeUTF("42");
              out.writeByte(1);
              out.writeInt(5);
              out.writeUTF("10/day");
              out.writeUTF("gcra");
              out.writeLong(100);
            });
    assertThat(Holding.read(bytes)).isEqualTo(HOLDING);
  }

  @Test
  void order_written_isReadAgain() {
    Counters moved = new Counters(Map.of(1L, 9));
    OrderNote.Limits own = new OrderNote.Limits(Policy.parse("20/day"), moved);
    OrderNote.Limits before = new OrderNote.Limits(Policy.parse("10/day; 3/s"), Counters.PLAIN);
    OrderNote.Kept override = new OrderNote.Kept(50, 60, 40, 90, own, before);
    OrderNote note = new OrderNote(7, /* blockedUntil= */ 80, /* resetAt= */ 70, override);
    assertThat(OrderNote.read(note.write())).isEqualTo(note);
    OrderNote.Kept first = new OrderNote.Kept(50, 60, KeyOverride.NEVER, 90, own, null);
    OrderNote alone = new OrderNote(7, /* blockedUntil= */ 0, /* resetAt= */ 0, first);
    assertThat(OrderNote.read(alone.write())).isEqualTo(alone);
  }

  @Test
  void order_formatOne_isReadAndNothingBeforeItIsFollowed() {
    byte[] bytes =
        Packed.write(
            out -> {
              out.writeLong(7);
              out.writeLong(80);
              out.writeLong(60);
              out.writeLong(70);
              out.writeByte(1);
              out.writeUTF("gcra");
              out.writeUTF("20/day");
            });
    OrderNote note = OrderNote.read(bytes);
    assertThat(note.blockedUntil()).isEqualTo(80);
    assertThat(note.resetAt()).isEqualTo(70);
    OrderNote.Kept override = requireNonNull(note.override());
    assertThat(override.untilNanos()).isEqualTo(60);
    assertThat(override.own().policy()).isEqualTo(Policy.parse("20/day"));
    assertThat(override.sinceNanos()).isZero();
    assertThat(override.before()).isNull();
  }

  /** Earlier versions accepted several, which limited nothing. */
  @Test
  void order_severalConcurrentLimits_isReadAsItIsCounted() {
    byte[] bytes =
        Packed.write(
            out -> {
              out.writeLong(7);
              out.writeLong(0);
              out.writeLong(60);
              out.writeLong(0);
              out.writeByte(3);
              out.writeUTF("gcra");
              out.writeUTF("5 concurrent lease 10s");
              out.writeUTF("6 concurrent lease 20s");
              out.writeUTF("20/day");
            });
    OrderNote.Kept override = requireNonNull(OrderNote.read(bytes).override());
    assertThat(override.own().policy()).isEqualTo(Policy.parse("5 concurrent lease 10s; 20/day"));
  }
}
