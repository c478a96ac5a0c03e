package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.LAST;
import static io.penstock.server.http.RawSocket.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads that one reader could take for another request than the next reader does. */
class HeadRulesTest {
  private static final String BODY = Rig.body("api", "user", "42", /* cost= */ 1);
  private static final String LINE = "POST /v1/check HTTP/1.1\r\n";
  private static final String LENGTH = "Content-Length: " + BODY.length() + "\r\n";

  private static Rig rig;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  private static String ask(String text) throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      return socket.send(text).readToEnd();
    }
  }

  /** A check with these lines in its head, and one more request behind it. */
  private static String check(String head) {
    return head + LENGTH + "\r\n" + BODY + LAST;
  }

  private static void assertRefused(String text, int status) throws Exception {
    String answer = ask(text);
    assertThat(statuses(answer)).containsExactly(status);
    assertThat(answer).contains("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST  /v1/check HTTP/1.1\r\n",
        "POST /v1/check  HTTP/1.1\r\n",
        "POST\t/v1/check HTTP/1.1\r\n",
        " POST /v1/check HTTP/1.1\r\n",
        "  POST /v1/check HTTP/1.1\r\n",
        "\tPOST /v1/check HTTP/1.1\r\n",
        "POST /v1/check\tHTTP/1.1\r\n",
        "POST \t/v1/check HTTP/1.1\r\n",
        "POST /v1/check \tHTTP/1.1\r\n",
        "POST /v1/check\u000bHTTP/1.1\r\n",
      })
  void requestLine_notOfSingleSpaces_isRefusedWithAllThatFollows(String line) throws Exception {
    assertRefused(check(line + "Host: a\r\n"), 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/1.1", "Http/1.1", "http/1.0", "HTTP/01.1", "HTTP/1.01"})
  void version_inOtherLetters_isRefusedInItsTurnWithAllThatFollows(String version)
      throws Exception {
    String odd = check("POST /v1/check " + version + "\r\nHost: a\r\n");
    assertRefused(odd, 400);
    assertThat(ask(odd)).contains("version: " + version + " (expected: HTTP/1.1 or HTTP/1.0)");
    String whole = LINE + "Host: a\r\n" + LENGTH + "\r\n" + BODY;
    assertThat(statuses(ask(whole + odd))).containsExactly(200, 400);
    String get = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
    assertThat(statuses(ask(get + odd))).containsExactly(200, 400);
  }

  @Test
  void requestLine_behindARequestAndAnEmptyLine_isNotPartOfIt() throws Exception {
    String get = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
    assertThat(statuses(ask(get + "\r\n" + get + " " + get + LAST))).containsExactly(200, 200, 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {": b\r\n", ":\r\n"})
  void field_withoutAName_isRefusedWithAllThatFollows(String field) throws Exception {
    assertRefused(check(LINE + "Host: a\r\n" + field), 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a b",
        "a/b",
        "/",
        "u@a",
        "a#b",
        "a?b",
        "a\\b",
        "a,b",
        "a%41",
        "a<",
        "a|b",
        "a^",
        ":80",
        "a:",
        "a:b",
        "a:80:80",
        "a:123456",
        "[::1",
        "[]",
        "[::1]x",
        "[g h]",
        "http://a",
        "a\u00e4"
      })
  void host_odd_isRefusedWithAllThatFollows(String host) throws Exception {
    assertRefused(check(LINE + "Host: " + host + "\r\n"), 400);
    assertRefused(check(LINE + "Upgrade: no\r\nHost: " + host + "\r\n"), 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "penstock.example:8080",
        "127.0.0.1",
        "[::1]:8080",
        "[2001:db8::1]",
        "a_b-c.",
        "x~y "
      })
  void host_ofEveryForm_isTaken(String host) throws Exception {
    assertThat(statuses(ask(check(LINE + "Host: " + host + "\r\n")))).containsExactly(200, 404);
    assertThat(statuses(ask(check(LINE + "Upgrade: no\r\nHost: " + host + "\r\n"))))
        .containsExactly(200, 404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-API-Key: a\r\nx-api-key: b\r\n",
        "X-API-Key: a\r\nX-API-Key: a\r\n",
        "Authorization: Bearer a\r\nauthorization: Bearer b\r\n",
      })
  void credentials_doubled_areRefusedWithAllThatFollows(String fields) throws Exception {
    assertRefused(check(LINE + "Host: a\r\n" + fields), 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: keep-alive, close\r\n",
        "Connection: keep-alive,CLOSE\r\n",
        "connection: Close , x\r\n",
        "Connection: keep-alive\r\nConnection: close\r\n"
      })
  void connection_withCloseAmongOthers_isClosedBehindTheAnswer(String fields) throws Exception {
    String answer = ask(check(LINE + "Host: a\r\n" + fields));
    assertThat(statuses(answer)).containsExactly(200);
    assertThat(answer).containsIgnoringCase("connection: close");
  }

  @ParameterizedTest
  @ValueSource(strings = {"100-continues", "a", "", "100-continue, a"})
  void expect_anythingElse_is417(String expectation) throws Exception {
    assertRefused(check(LINE + "Host: a\r\nExpect: " + expectation + "\r\n"), 417);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n",
        "PUT /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n",
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n",
        "POST /v1/keys/reset HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n",
        "POST /readyz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n",
      })
  void expect_ofAHeadThatIsRefused_isAnsweredByTheRefusalAndTheEnd(String head) throws Exception {
    String answer = ask(head + "Expect: 100-continue\r\n\r\n");
    assertThat(statuses(answer)).hasSize(1).doesNotContain(100, 200);
    assertThat(answer).containsIgnoringCase("connection: close");
  }

  @Test
  void expect_withoutABody_changesNothing() throws Exception {
    String get = "GET /readyz HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n";
    assertThat(statuses(ask(get + LAST))).containsExactly(200, 404);
  }

  @Test
  void expect_ofHttp10_isIgnored() throws Exception {
    String old = "POST /v1/check HTTP/1.0\r\nExpect: 100-continue\r\n" + LENGTH + "\r\n" + BODY;
    assertThat(statuses(ask(old))).containsExactly(200);
  }
}
