package io.penstock.core.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The hash of keys is SipHash-1-3 of their UTF-8 bytes. */
class KeyHashTest {
  /* The key of the reference vectors of SipHash: the bytes 00 01 02 … 0f. */
  private static final long SECRET_0 = 0x0706050403020100L;
  private static final long SECRET_1 = 0x0f0e0d0c0b0a0908L;

  private static final KeyHash HASH = new KeyHash(SECRET_0, SECRET_1);

  /** SipHash-c-d as its paper tells it, byte by byte, with nothing in common with ours. */
  private static long sip(int compressions, int finalizations, byte[] message) {
    long[] v = {
      SECRET_0 ^ 0x736f6d6570736575L,
      SECRET_1 ^ 0x646f72616e646f6dL,
      SECRET_0 ^ 0x6c7967656e657261L,
      SECRET_1 ^ 0x7465646279746573L
    };
    int padded = message.length / 8 * 8 + 8;
    for (int at = 0; at < padded; at += 8) {
      long word = 0;
      for (int i = 7; i >= 0; i--) {
        boolean last = at + i == padded - 1;
        int there = at + i < message.length ? message[at + i] & 0xff : 0;
        word = (word << 8) + (last ? message.length & 0xff : there);
      }
      v[3] ^= word;
      rounds(v, compressions);
      v[0] ^= word;
    }
    v[2] ^= 0xff;
    rounds(v, finalizations);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

  private static void rounds(long[] v, int count) {
    for (int i = 0; i < count; i++) {
      half(v, 0, 1, 13, 32);
      half(v, 2, 3, 16, 0);
      half(v, 0, 3, 21, 0);
      half(v, 2, 1, 17, 32);
    }
  }

  private static void half(long[] v, int a, int b, int turn, int turnOfSum) {
    v[a] += v[b];
    v[b] = (v[b] << turn | v[b] >>> (64 - turn)) ^ v[a];
    v[a] = turnOfSum == 0 ? v[a] : v[a] << turnOfSum | v[a] >>> (64 - turnOfSum);
  }

  private static byte[] countingBytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  @Test
  void sip_vectorsOfThePaper_agree() {
    assertThat(sip(2, 4, countingBytes(15))).isEqualTo(0xa129ca6149be45e5L);
    assertThat(sip(2, 4, countingBytes(0))).isEqualTo(0x726fdb47dd0e0e31L);
    assertThat(sip(1, 3, countingBytes(0))).isEqualTo(0xabac0158050fc4dcL);
  }

  @Test
  void of_bytesOfEveryLength_isSipHash13() {
    for (int length = 0; length < 300; length++) {
      byte[] bytes = countingBytes(length);
      assertThat(HASH.of(bytes, 0, length)).as("length %d", length).isEqualTo(sip(1, 3, bytes));
    }
  }

  @Test
  void of_text_equalsThatOfItsUtf8Bytes() {
    SplittableRandom random = Trial.random("of_text");
    List<String> texts =
        new ArrayList<>(
            List.of("", "a", "user:42", "éèß", "ÿ", "日本語", "😀", "a😀b", "\u0000", "\u007f\u0080"));
    for (int i = 0; i < 2_000; i++) {
      texts.add(text(random));
    }
    for (String text : texts) {
      byte[] bytes = bytes(text);
      assertThat(HASH.of(text)).as("\"%s\"", text).isEqualTo(sip(1, 3, bytes));
      assertThat(HASH.of(bytes, 0, bytes.length)).isEqualTo(HASH.of(text));
    }
  }

  /** UTF-8, and for a surrogate without its other half the three bytes UTF-8 would have for it. */
  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int point : text.codePoints().toArray()) {
      boolean alone = point >= 0xD800 && point < 0xE000;
      byte[] three = {
        (byte) 0xED, (byte) (0x80 | ((point >> 6) & 0x3F)), (byte) (0x80 | (point & 0x3F))
      };
      bytes.writeBytes(alone ? three : Character.toString(point).getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void of_everyCodePoint_equalsThatOfItsUtf8Bytes() {
    for (int point = 0; point <= Character.MAX_CODE_POINT; point += 1 + point / 999) {
      String text = "x".repeat(point % 9) + Character.toString(point);
      assertThat(HASH.of(text)).as("code point %x", point).isEqualTo(sip(1, 3, bytes(text)));
    }
  }

  /** ASCII, Latin-1, all of the plane, or whole code points; surrogates may stand alone. */
  private static String text(SplittableRandom random) {
    int[] bounds = {0x80, 0x100, 0x10000, 0x110000};
    int bound = bounds[random.nextInt(bounds.length)];
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      text.appendCodePoint(random.nextInt(20) == 0 ? random.nextInt(bound) : 'a' + i % 26);
    }
    return text.toString();
  }

  @Test
  void of_unpairedSurrogate_isNoOtherKey() {
    List<String> texts = List.of("a\ud83d", "a\ude00", "a?", "a\ufffd", "a\ud83d\ude00", "a\ud83c");
    Set<Long> hashes = new HashSet<>();
    for (String text : texts) {
      assertThat(hashes.add(HASH.of(text))).isTrue();
      assertThat(HASH.of(text)).isEqualTo(sip(1, 3, bytes(text)));
    }
  }

  @Test
  void of_range_countsOnlyTheRange() {
    SplittableRandom random = Trial.random("of_range");
    byte[] bytes = new byte[200];
    random.nextBytes(bytes);
    for (int i = 0; i < 2_000; i++) {
      int from = random.nextInt(bytes.length);
      int length = random.nextInt(bytes.length - from + 1);
      byte[] part = java.util.Arrays.copyOfRange(bytes, from, from + length);
      assertThat(HASH.of(bytes, from, length)).isEqualTo(sip(1, 3, part));
    }
  }

  @Test
  void of_rangeOutside_throws() {
    assertThatThrownBy(() -> HASH.of(new byte[8], 1, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> HASH.of(new byte[8], -1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> HASH.of(new byte[8], 2, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void of_otherSecret_isAnotherHash() {
    assertThat(new KeyHash(SECRET_0 + 1, SECRET_1).of("key")).isNotEqualTo(HASH.of("key"));
    assertThat(new KeyHash(SECRET_0, SECRET_1 + 1).of("key")).isNotEqualTo(HASH.of("key"));
  }

  @Test
  void of_oneBitFlipped_changesHalfOfTheBits() {
    byte[] key = "user:1234567890:read".getBytes(UTF_8);
    long before = HASH.of(key, 0, key.length);
    long flipped = 0;
    for (int bit = 0; bit < 8 * key.length; bit++) {
      byte[] other = key.clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      flipped += Long.bitCount(before ^ HASH.of(other, 0, other.length));
    }
    assertThat(flipped / (8.0 * key.length)).isBetween(30.0, 34.0);
  }

  @Test
  void slot_zero_isTheKeyItself() {
    assertThat(KeyHash.slot(42, 0)).isEqualTo(42);
  }

  @Test
  void slot_manyKeysAndSlots_neverMeet() {
    Set<Long> seen = new HashSet<>();
    for (int key = 0; key < 10_000; key++) {
      for (int slot = 0; slot < 16; slot++) {
        seen.add(KeyHash.slot(HASH.of("key" + key), slot));
      }
    }
    assertThat(seen).hasSize(160_000);
  }

  /** A shard is a range of hashes: it moves with all counters of its keys. */
  @Test
  void r23_slot_anyOfAKey_keepsItsFirstByte() {
    SplittableRandom random = Trial.random("slot_any");
    for (int i = 0; i < 1_000; i++) {
      long hash = random.nextLong();
      assertThat(KeyHash.slot(hash, random.nextInt()) >>> 56).isEqualTo(hash >>> 56);
    }
  }

  @Test
  void slot_nextSlot_changesTheBitsThatChooseStripeAndPage() {
    SplittableRandom random = Trial.random("slot_nextSlot");
    int lowBits = 0;
    int homeBits = 0;
    for (int i = 0; i < 1_000; i++) {
      long hash = random.nextLong();
      long change = KeyHash.slot(hash, 1) ^ KeyHash.slot(hash, 2);
      lowBits += Long.bitCount(change & 0xFFF);
      homeBits += Long.bitCount(change >>> 20 & 0xFFFF_FFFFL);
    }
    assertThat(lowBits / 1_000.0).isBetween(5.5, 6.5);
    assertThat(homeBits / 1_000.0).isBetween(15.0, 17.0);
  }
}
