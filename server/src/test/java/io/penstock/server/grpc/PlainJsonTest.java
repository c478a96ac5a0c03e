package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainJsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        " {\"domain\":\"1e999999999\",\"descriptors\":[{\"entries\":[{\"key\":\"a b\"}]}]} ",
        "{\"hitsAddend\":\"18446744073709551615\",\"unit\":\"MINUTE\",\"limit\":null}",
        "{\"value\":\"\\ud83d\\ude00\"}"
      })
  void check_plainDocument_passes(String body) {
    assertThatCode(() -> PlainJson.check(body)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "7",
        "{",
        "{}{}",
        "{} x",
        "{domain:\"a\"}",
        "{'domain':'a'}",
        "{\"domain\":\"a\"/**/}",
        "{\"domain\":\"a\",}",
        "{\"domain\":\"a\",\"domain\":\"b\"}",
        "{\"hitsAddend\":1.5}",
        "{\"hitsAddend\":1e999999999}",
        "{\"hitsAddend\":\"1e999999999\"}",
        "{\"hitsAddend\":NaN}",
        "{\"hitsAddend\":[1]}",
        "{\"descriptors\":[[]]}",
        "{\"hitsAddend\":111111111111111111111}",
        "{\"value\":1e999999999}",
        "{\"value\":\"\\ud800\"}",
        "{\"hitsaddend\":1}"
      })
  void check_anythingElse_isRefused(String body) {
    assertThatThrownBy(() -> PlainJson.check(body)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void check_deepNesting_isRefused() {
    String deep = "{\"a\":" + "[".repeat(100_000);
    assertThatThrownBy(() -> PlainJson.check(deep)).isInstanceOf(IllegalArgumentException.class);
  }
}
