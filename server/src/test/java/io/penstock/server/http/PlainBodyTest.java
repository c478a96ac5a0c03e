package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.Bounds;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainBodyTest {
  /** Small, so that mutations meet them: 2 descriptors of 2 entries, keys of 12, values of 6. */
  private static final Bounds BOUNDS = new Bounds(1_024, 1_024, 2, 2, 12, 6, 5, 10, 10, 10, 10);

  private static final String WHOLE =
      "{\"domain\":\"api\",\"descriptors\":[[{\"key\":\"plan\",\"value\":\"\"},"
          + " {\"key\":\"user\",\"value\":\"42\"}],[{\"key\":\"ip\",\"value\":\"::1\"}]],"
          + "\"cost\":3,\"requestId\":\"r-1\"}";

  private static final int MUTANTS = 200_000;
  private static final String[] PIECES = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    " ",
    "\n",
    "\t",
    "\u0001",
    "\u00e4",
    "\u007f",
    "0",
    "1",
    "-",
    ".",
    "e",
    "null",
    "true",
    "\"key\":\"k\"",
    "\"cost\":",
    "\"cost\":0,",
    "\"domain\":",
    "\"requestId\":\"q\",",
    "\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],",
    "\\u0041",
    "123456789",
    "long",
    "key",
    "value",
    ",[{\"key\":\"a\",\"value\":\"b\"}]",
  };

  private final PlainBody body = new PlainBody(BOUNDS);

  private @Nullable Question read(String text) {
    byte[] bytes = ("##" + text + "##").getBytes(ISO_8859_1);
    return body.read(bytes, 2, bytes.length - 2);
  }

  private static @Nullable Question longWay(String text) {
    try {
      return QuestionReader.one(text.getBytes(ISO_8859_1), BOUNDS, QuestionField.CHECK);
    } catch (Refusal refused) {
      return null;
    }
  }

  @Test
  void read_whatClientsSend_isRead() {
    Question question = Objects.requireNonNull(read(WHOLE));

    assertThat(question).isEqualTo(longWay(WHOLE));
    assertThat(question.domain()).isEqualTo("api");
    assertThat(question.descriptors())
        .isEqualTo(List.of(Descriptor.of("plan", "", "user", "42"), Descriptor.of("ip", "::1")));
    assertThat(question.cost()).isEqualTo(3);
    assertThat(question.requestId()).isEqualTo("r-1");
  }

  @Test
  void read_usedAgain_hasForgotten() {
    assertThat(read(WHOLE)).isNotNull();

    Question next =
        Objects.requireNonNull(
            read("{\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],\"domain\":\"d\"}"));

    assertThat(next.cost()).isEqualTo(1);
    assertThat(next.requestId()).isNull();
    assertThat(read("{\"cost\":1}")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"domain\":\"d\"}",
        "{\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]]}",
        "{\"domain\":\"\",\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]]}",
        "{\"domain\":\"d\",\"descriptors\":[]}",
        "{\"domain\":\"d\",\"descriptors\":[[]]}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"\",\"value\":\"b\"}]]}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\\n\"}]]}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\n\"}]]}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"1234567\"}]]}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],\"cost\":01}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],\"cost\":1.5}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],\"cost\":-1}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],\"cost\":}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],\"else\":1}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]]}}",
        "{\"domain\":\"d\",\"descriptors\":[[{\"key\":\"a\",\"value\":\"b\"}]],}",
      })
  void read_anythingElse_isLeftToTheLongWay(String text) {
    assertThat(read(text)).isNull();
  }

  @Test
  void read_everyBeginning_isNotWhole() {
    for (int length = 0; length < WHOLE.length(); length++) {
      assertThat(read(WHOLE.substring(0, length))).as("%s bytes", length).isNull();
    }
  }

  @Test
  void read_anyMutant_isReadAsTheLongWayDoesOrNotAtAll() {
    Random random = new Random(42);
    int plain = 0;
    for (int i = 0; i < MUTANTS; i++) {
      String mutant = mutant(random);
      Question question = read(mutant);
      if (question != null) {
        plain++;
        assertThat(question).as(mutant).isEqualTo(longWay(mutant));
      }
    }
    assertThat(plain).isGreaterThan(MUTANTS / 100);
  }

  /** A body of which one or a few pieces were changed, left out or put in. */
  private static String mutant(Random random) {
    StringBuilder text = new StringBuilder(WHOLE);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int from = random.nextInt(text.length());
      int to = Math.min(text.length(), from + (random.nextBoolean() ? 0 : 1 + random.nextInt(9)));
      text.replace(from, to, random.nextInt(4) == 0 ? "" : PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }
}
