package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainHeadTest {
  private static final String LINE = "POST /v1/check HTTP/1.1\r\n";
  private static final String NEEDED = "Host: a\r\nContent-Length: 5\r\n";

  private final PlainHead head = new PlainHead(1_024);

  private boolean isPlain(String text) {
    byte[] bytes = ("##" + text).getBytes(ISO_8859_1);
    return head.isPlain(bytes, 2, bytes.length);
  }

  @Test
  void isPlain_whatClientsSend_isRead() {
    String text =
        LINE
            + "host: penstock:8080\r\nUser-Agent: curl/8\r\nAccept: */*\r\nX-Api-Key:  secret \r\n"
            + "AUTHORIZATION: Bearer x.y\r\nConnection: Keep-Alive\r\ncontent-length:5\r\n\r\n";

    assertThat(isPlain(text + "hello")).isTrue();
    assertThat(head.end()).isEqualTo(2 + text.length());
    assertThat(head.length()).isEqualTo(5);
    assertThat(head.apiKey()).isEqualTo("secret");
    assertThat(head.authorization()).isEqualTo("Bearer x.y");
  }

  @Test
  void field_ofAPlainHead_isWhatItSays() {
    String fields = "traceparent-x: 1\r\nTRACEPARENT:  00-a \r\ntracestate:\r\nq: 7\r\n\r\n";
    assertThat(isPlain(LINE + NEEDED + fields + "hello: it\r\n")).isTrue();

    assertThat(head.field("traceparent")).isEqualTo("00-a");
    assertThat(head.field("tracestate")).isEmpty();
    assertThat(head.field("q")).isEqualTo("7");
    assertThat(head.field("trace")).isNull();
    assertThat(head.field("hello")).isNull();
  }

  @Test
  void isPlain_usedAgain_hasForgotten() {
    assertThat(isPlain(LINE + NEEDED + "X-API-Key: a\r\nAuthorization: b\r\n\r\n")).isTrue();

    assertThat(isPlain(LINE + "Host: a\r\n\r\n")).isFalse();
    assertThat(isPlain(LINE + NEEDED + "\r\n")).isTrue();
    assertThat(head.apiKey()).isNull();
    assertThat(head.authorization()).isNull();
  }

  @Test
  void isPlain_everyBeginningOfAHead_isNotWhole() {
    String text = LINE + NEEDED + "\r\n";

    for (int length = 0; length < text.length(); length++) {
      assertThat(isPlain(text.substring(0, length))).as("%s bytes", length).isFalse();
      assertThat(head.isCut()).as("%s bytes", length).isTrue();
    }
    assertThat(isPlain(text)).isTrue();
    assertThat(head.isCut()).isFalse();
  }

  @Test
  void isPlain_headAsLongAsItMayBe_isAndOneMoreIsNot() {
    int rest = 1_024 - (LINE + NEEDED + "x: \r\n\r\n").length();

    assertThat(isPlain(LINE + NEEDED + "x: " + "v".repeat(rest) + "\r\n\r\n")).isTrue();
    assertThat(isPlain(LINE + NEEDED + "x: " + "v".repeat(rest + 1) + "\r\n\r\n")).isFalse();
    assertThat(head.isCut()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET",
        "POST /v1/check?",
        "POST /v1/check:batch HTTP/1.1",
        LINE + "a b",
        LINE + ":",
        LINE + "a: \u0001",
        LINE + "a: b\rc",
        LINE + "\rc",
        LINE + "Expect: 100-continue\r\nHost",
        LINE + "Transfer-Encoding: chunked\r\n",
        LINE + "Host: a b\r\n"
      })
  void isCut_beginningOfAnythingElse_isNot(String text) {
    assertThat(isPlain(text)).isFalse();
    assertThat(head.isCut()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n",
        "POST /v1/check?a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n",
        "POST /v1/check HTTP/1.0\r\nHost: a\r\nContent-Length: 5\r\n",
        "POST /v1/check HTTP/1.1\nHost: a\r\nContent-Length: 5\r\n",
        LINE + "Content-Length: 5\r\n",
        LINE + "Host: a\r\n",
        LINE + NEEDED + "Host: a\r\n",
        LINE + NEEDED + "Content-Length: 5\r\n",
        LINE + NEEDED + "X-API-Key: a\r\nX-API-Key: a\r\n",
        LINE + NEEDED + "Authorization: a\r\nAuthorization: a\r\n",
        LINE + NEEDED + "Transfer-Encoding: chunked\r\n",
        LINE + NEEDED + "Connection: close\r\n",
        LINE + NEEDED + "Connection: keep-alive, upgrade\r\n",
        LINE + NEEDED + "Expect: 100-continue\r\n",
        LINE + NEEDED + "Upgrade: h2c\r\n",
        LINE + NEEDED + "a b: c\r\n",
        LINE + NEEDED + "a : c\r\n",
        LINE + NEEDED + ": c\r\n",
        LINE + NEEDED + "a: b\r\n folded\r\n",
        LINE + NEEDED + "a: b\u0001\r\n",
        LINE + NEEDED + "a: \u00e9\r\n",
        LINE + NEEDED + "a: b\n",
        LINE + NEEDED + "a: b\r",
        LINE + "Host:\r\nContent-Length: 5\r\n",
        LINE + "Host: a\r\nContent-Length:\r\n",
        LINE + "Host: a\r\nContent-Length: +5\r\n",
        LINE + "Host: a\r\nContent-Length: 0x5\r\n",
        LINE + "Host: a\r\nContent-Length: 5 5\r\n",
        LINE + "Host: a\r\nContent-Length: 99999999\r\n"
      })
  void isPlain_anythingElse_isNot(String text) {
    assertThat(isPlain(text + "\r\n")).isFalse();
    assertThat(head.isCut()).isFalse();
  }
}
