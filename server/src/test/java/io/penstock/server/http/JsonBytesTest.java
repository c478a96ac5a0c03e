package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBytesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonBytes json = new JsonBytes();

  private String written() {
    return new String(json.bytes(), 0, json.length(), UTF_8);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 9, 10, 99, 100, -1, -10, 1_000_000, Long.MAX_VALUE, Long.MIN_VALUE})
  void number_ofAnySize_isWrittenInDigits(long value) {
    json.number(value);

    assertThat(written()).isEqualTo(Long.toString(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "api/user",
        "a\"b\\c/d",
        "\u0000\u0001\b\t\n\f\r\u001f",
        "\u007f \u00e4 \u20ac \ud83d\ude00"
      })
  void text_ofAnyCharacters_isReadBack(String text) throws Exception {
    json.text(text);

    assertThat(JSON.readTree(written()).textValue()).isEqualTo(text);
  }

  @Test
  void bytes_moreThanThereIsRoomFor_grow() throws Exception {
    String text = "x".repeat(5_000);
    json.raw(JsonBytes.piece("[")).text(text).raw(JsonBytes.piece(","));
    json.text(text + "\u00e4").raw(JsonBytes.piece(",")).number(7).raw(JsonBytes.piece("]"));

    assertThat(JSON.readTree(written()).get(0).textValue()).isEqualTo(text);
    assertThat(JSON.readTree(written()).get(1).textValue()).isEqualTo(text + "\u00e4");
    assertThat(JSON.readTree(written()).get(2).longValue()).isEqualTo(7);
  }

  @Test
  void clear_writtenAgain_forgets() {
    json.text("before");
    json.clear();
    json.text("now");

    assertThat(written()).isEqualTo("\"now\"");
  }
}
