package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {
  private static final int ARGUMENTS_MAX = 6;
  private static final int ARGUMENT_BYTES_MAX = 20;
  private static final int COMMAND_BYTES_MAX = 100;
  private static final String REFUSED = "refused";
  private static final int ROUNDS = 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final CommandBounds BOUNDS =
      new CommandBounds(ARGUMENTS_MAX, ARGUMENT_BYTES_MAX, COMMAND_BYTES_MAX, /* loggedIn= */ true);

  private final byte[] shared = new byte[256];
  private final Decoder decoder = new Decoder(BOUNDS);

  /** A command as it is sent, and as it should be found; one that is empty is not found. */
  record Sent(String bytes, String found) {}

  @Provide
  Arbitrary<List<Sent>> commands() {
    Arbitrary<List<byte[]>> arguments =
        Arbitraries.bytes().array(byte[].class).ofMaxSize(25).list().ofMaxSize(8);
    Arbitrary<List<byte[]>> words =
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .ofMinLength(1)
            .ofMaxLength(22)
            .map(word -> word.getBytes(ISO_8859_1))
            .list()
            .ofMaxSize(4);
    return Arbitraries.oneOf(arguments.map(DecoderTest::array), words.map(DecoderTest::line))
        .list()
        .ofMaxSize(20);
  }

  @Provide
  Arbitrary<List<Integer>> cuts() {
    return Arbitraries.integers().between(1, 300).list().ofMinSize(1).ofMaxSize(5);
  }

  @Property
  void next_bytesCutAnyhow_findsTheSameCommands(
      @ForAll("commands") List<Sent> sent, @ForAll("cuts") List<Integer> cuts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    for (Sent one : sent) {
      all.writeBytes(one.bytes.getBytes(ISO_8859_1));
      if (!one.found.isEmpty()) {
        expected.add(one.found);
      }
    }

    assertThat(find(all.toByteArray(), cuts)).isEqualTo(expected);
  }

  private static Sent array(List<byte[]> arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(("*" + arguments.size() + "\r\n").getBytes(ISO_8859_1));
    boolean tooMuch = arguments.size() > ARGUMENTS_MAX;
    for (byte[] argument : arguments) {
      bytes.writeBytes(("$" + argument.length + "\r\n").getBytes(ISO_8859_1));
      tooMuch |= argument.length > ARGUMENT_BYTES_MAX;
      tooMuch |= bytes.size() + argument.length > COMMAND_BYTES_MAX;
      bytes.writeBytes(argument);
      bytes.writeBytes("\r\n".getBytes(ISO_8859_1));
    }
    return new Sent(bytes.toString(ISO_8859_1), tooMuch ? REFUSED : told(arguments));
  }

  private static Sent line(List<byte[]> words) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean tooMuch = false;
    for (byte[] word : words) {
      bytes.writeBytes(word);
      bytes.writeBytes(" ".getBytes(ISO_8859_1));
      tooMuch |= word.length > ARGUMENT_BYTES_MAX;
    }
    bytes.writeBytes("\r\n".getBytes(ISO_8859_1));
    return new Sent(bytes.toString(ISO_8859_1), tooMuch ? REFUSED : told(words));
  }

  private static String told(List<byte[]> arguments) {
    return String.join("", arguments.stream().map(a -> told(a, 0, a.length)).toList());
  }

  private static String told(byte[] bytes, int from, int length) {
    return "[" + new String(bytes, from, length, ISO_8859_1) + "]";
  }

  /** Hands the bytes over in pieces of these sizes, over and over, and tells what is found. */
  private List<String> find(byte[] bytes, List<Integer> cuts) {
    List<String> found = new ArrayList<>();
    int at = 0;
    for (int piece = 0; at < bytes.length; piece++) {
      int size = Math.min(cuts.get(piece % cuts.size()), bytes.length - at);
      ByteBuf in = Unpooled.wrappedBuffer(bytes, at, size);
      while (in.isReadable()) {
        decoder.feed(in, shared);
        for (Decoder.Found f = decoder.next(); f != Decoder.Found.NOTHING; f = decoder.next()) {
          found.add(told(f));
          if (f == Decoder.Found.BROKEN) {
            return found;
          }
        }
        decoder.keep();
      }
      at += size;
    }
    return found;
  }

  private String told(Decoder.Found found) {
    if (found == Decoder.Found.BROKEN) {
      return decoder.problem();
    }
    if (found == Decoder.Found.REFUSED) {
      return REFUSED;
    }
    Request request = decoder.take(new Request());
    StringBuilder told = new StringBuilder();
    for (int i = 0; i < request.count(); i++) {
      told.append(told(request.bytes(), request.from(i), request.length(i)));
    }
    return told.toString();
  }

  private List<String> find(String text) {
    return find(text.getBytes(ISO_8859_1), List.of(7, 1, 300));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*1\r\n*1\r\n$4\r\nPING\r\n",
        "*1\r\n:4\r\n",
        "*1\r\n$-1\r\n",
        "*1\r\n$\r\n",
        "*1\r\n$4x\r\nPING\r\n",
        "*1\r\n$99999999999999999999\r\n",
        "*1\r\n$536870913\r\n",
        "*1\r\n$4\r\nPINGPONG\r\n",
        "*1\r\n$4\rPING",
        "*1048577\r\n",
        "*99999999999999999999\r\n",
        "*--1\r\n",
        "*\r\n",
        "*\u0000\r\n",
        "*x\r\n",
        "*1 \r\n",
        "\"open\r\n",
        "\"a\"b\r\n",
        "POST / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\n",
      })
  void next_brokenBytes_saysSoAndStops(String bytes) {
    List<String> found = find(bytes);

    assertThat(found.get(found.size() - 1)).startsWith("ERR Protocol error: ");
  }

  @Test
  void next_lineWithoutEnd_isBrokenOnceItIsTooLong() {
    assertThat(find("a".repeat(BOUNDS.lineBytes()))).isEmpty();
    assertThat(find("ab")).containsExactly("ERR Protocol error: too big inline request");
  }

  @Test
  void next_hugeArgument_isPassedOverAndNotKept() {
    int pieces = 4_096;
    assertThat(find("*2\r\n$4\r\nECHO\r\n$" + pieces * shared.length + "\r\n")).isEmpty();
    for (int i = 0; i < pieces; i++) {
      decoder.feed(Unpooled.wrappedBuffer(new byte[shared.length]), shared);
      assertThat(decoder.next()).isEqualTo(Decoder.Found.NOTHING);
      decoder.keep();
      assertThat(decoder.heldBytes()).isZero();
    }

    assertThat(find("\r\nPING\r\n")).containsExactly(REFUSED, "[PING]");
    assertThat(decoder.problem()).isEqualTo("ERR argument: 1048576 bytes (expected: <= 20)");
  }

  @Test
  void next_lineOfManyWords_takesNoRoomForThem() {
    byte[] line = ("a ".repeat(BOUNDS.lineBytes() / 2) + "\n").getBytes(ISO_8859_1);
    byte[] wide = new byte[line.length];
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      Decoder fresh = new Decoder(BOUNDS);
      fresh.feed(Unpooled.wrappedBuffer(line), wide);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      assertThat(fresh.next() == Decoder.Found.REFUSED).isTrue();
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      assertThat(fresh.problem()).isEqualTo("ERR arguments: 8192 (expected: <= 6)");
    }

    assertThat(least).isLessThan(line.length);
  }

  @Test
  void keep_beginningOfACommandBehindALargeOne_keepsLittleRoom() {
    decoder.bound(new CommandBounds(1, 1 << 20, 1 << 20, /* loggedIn= */ true));
    byte[] bytes = (array(List.of(new byte[600_000])).bytes() + "*1\r\n").getBytes(ISO_8859_1);
    for (int at = 0; at < bytes.length; at += shared.length) {
      int size = Math.min(shared.length, bytes.length - at);
      decoder.feed(Unpooled.wrappedBuffer(bytes, at, size), shared);
      boolean isLast = at + size == bytes.length;
      assertThat(decoder.next() == Decoder.Found.COMMAND).isEqualTo(isLast);
      assertThat(decoder.next() == Decoder.Found.NOTHING).isTrue();
      decoder.keep();
    }

    assertThat(decoder.heldBytes()).isEqualTo("*1\r\n".length());
    assertThat(decoder.roomBytes()).isLessThanOrEqualTo(4 << 10);
  }

  @Test
  void next_line_isSplitAsRedisDoes() {
    assertThat(find("PING\r\n")).containsExactly("[PING]");
    assertThat(find("  set  a\tb  \n")).containsExactly("[set][a][b]");
    assertThat(find("echo \"a b\"\r\n")).containsExactly("[echo][a b]");
    assertThat(find("echo \"\\x41\\n\\\"\"\r\n")).containsExactly("[echo][A\n\"]");
    assertThat(find("echo \"\\x4g\"\r\n")).containsExactly("[echo][x4g]");
    assertThat(find("echo 'a \\'b\\' \\n'\r\n")).containsExactly("[echo][a 'b' \\n]");
    assertThat(find("echo \"\" a\u0000b\r\n")).containsExactly("[echo][][a\u0000b]");
  }

  @Test
  void next_emptyLinesAndArrays_arePassedOver() {
    assertThat(find("\r\n\n*0\r\n*-1\r\n  \r\nPING\n")).containsExactly("[PING]");
  }
}
