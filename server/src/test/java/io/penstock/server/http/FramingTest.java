package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.LAST;
import static io.penstock.server.http.RawSocket.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.LogLines;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not clearly one request is not carried out, and nothing behind it either. */
class FramingTest {
  private static final String BODY =
      "{\"domain\":\"api\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"42\"}]]}";
  private static final String HEAD = "POST /v1/check HTTP/1.1\r\nHost: a\r\n";
  private static final String LENGTH = "Content-Length: " + BODY.length() + "\r\n";
  private static final String CHUNKS =
      Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n";

  private static Rig rig;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  private static List<Integer> ask(String text) throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      return statuses(socket.send(text).readToEnd());
    }
  }

  private static String text(String escaped) {
    return escaped
        .replace("LENGTH", Integer.toString(BODY.length()))
        .replace("\\r", "\r")
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\v", "\u000b")
        .replace("\\0", "\0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 6\\r\\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\\r\\nContent-Length: 4",
        "Content-Length: LENGTH\\r\\nContent-Length: LENGTH",
        "Content-Length: LENGTH\\r\\nContent-Length: 3",
        "Content-Length: LENGTH, LENGTH",
        "Content-Length: +LENGTH",
        "Content-Length: -1",
        "Content-Length: 0x3f",
        "Content-Length: 6 3",
        "Content-Length:",
        "Content-Length: 99999999999999999999999",
        "Content-Length : LENGTH",
        "Transfer-Encoding : chunked\\r\\nContent-Length: LENGTH",
        "Transfer-Encoding: xchunked\\r\\nContent-Length: LENGTH",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: identity",
        "Transfer-Encoding:\\vchunked",
        "X-A: b\\rc\\r\\nContent-Length: LENGTH",
        "X-A: b\\0c\\r\\nContent-Length: LENGTH",
        "X\\0A: b\\r\\nContent-Length: LENGTH",
        "X A: b\\r\\nContent-Length: LENGTH",
      })
  void head_ambiguous_isRefusedWithAllThatFollows(String fields) throws Exception {
    String request = HEAD + text(fields) + "\r\n\r\n" + BODY + LAST;
    assertThat(ask(request)).containsExactly(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\\r\\n",
        "0x3f\\r\\n",
        "-1\\r\\n",
        "ffffffffffffffff1\\r\\n",
        "3f\\n",
        "\\r\\n"
      })
  void chunk_ofOddSize_isRefusedWithAllThatFollows(String size) throws Exception {
    String request = HEAD + "Transfer-Encoding: chunked\r\n\r\n" + text(size) + BODY;
    assertThat(ask(request + "\r\n0\r\n\r\n" + LAST)).containsExactly(400);
  }

  @Test
  void chunk_withoutItsEnd_isRefusedWithAllThatFollows() throws Exception {
    String request = HEAD + "Transfer-Encoding: chunked\r\n\r\n" + CHUNKS.replace("}\r", "}XX");
    assertThat(ask(request + LAST)).containsExactly(400);
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      assertThat(socket.send(request).readToEnd())
          .contains("application/problem+json", "\"field\":\"body\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET /readyz HTTP/2.0\\r\\nHost: a\\r\\n, 400, HTTP/2.0",
    "GET / HTTP/3.7\\r\\nHost: a\\r\\n, 400, HTTP/3.7",
    "GET /readyz HTTP/1.2\\r\\nHost: a\\r\\n, 400, HTTP/1.2",
    "GET /readyz HTTP/0.9\\r\\nHost: a\\r\\n, 400, HTTP/0.9",
    "GET / HTTP/1.10\\r\\nHost: a\\r\\n, 400, HTTP/1.10",
    "GET /readyz HTTP/1.1\\r\\n, 400, Host: missing",
    "GET /readyz HTTP/1.1\\r\\nHost: a\\r\\nHost: a\\r\\n, 400, Host: given twice",
    "GET /readyz HTTP/1.0\\r\\nHost: a\\r\\nhost: b\\r\\n, 400, Host: given twice",
  })
  void head_ofAnotherVersionOrNotOneHost_isRefusedWithAllThatFollows(
      String head, int status, String words) throws Exception {
    assertThat(ask(text(head) + "\r\n" + LAST)).containsExactly(status);
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      assertThat(socket.send(text(head) + "\r\n").readToEnd())
          .startsWith("HTTP/1.1 " + status)
          .contains("application/problem+json", words);
    }
  }

  @Test
  void body_inChunks_isRead() throws Exception {
    String chunked = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
    assertThat(ask(chunked + CHUNKS + LAST)).containsExactly(200, 404);
    String two = "1;a=b\r\n{\r\n" + Integer.toHexString(BODY.length() - 1) + "\r\n";
    assertThat(ask(chunked + two + BODY.substring(1) + "\r\n0\r\nX-A: b\r\n\r\n" + LAST))
        .containsExactly(200, 404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip, chunked",
        "chunked, chunked",
        "identity, chunked",
        "gzip\\r\\nTransfer-Encoding: chunked",
        "chunked\\r\\nTransfer-Encoding: chunked",
        "chunked;a=b",
        ",chunked",
      })
  void body_codedInAnyOtherWay_isRefusedWithAllThatFollows(String coding) throws Exception {
    String coded = "Transfer-Encoding: " + text(coding) + "\r\n\r\n" + CHUNKS + LAST;
    String auth = "GET /v1/forward-auth/api/user:X-A HTTP/1.1\r\nHost: a\r\n";
    assertThat(ask(HEAD + coded)).containsExactly(400);
    assertThat(ask(auth + coded)).containsExactly(400);
    assertThat(ask("GET /readyz HTTP/1.1\r\nHost: a\r\n" + coded)).containsExactly(400);
    assertThat(ask("POST /nothing HTTP/1.1\r\nHost: a\r\n" + coded)).containsExactly(400);
  }

  /** Whoever knows only that version takes it for two requests, or for one of another length. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 4\r\n", "Connection: keep-alive\r\n"})
  void body_inChunksOfHttp10_isRefusedWithAllThatFollows(String fields) throws Exception {
    String old = "POST /v1/check HTTP/1.0\r\nHost: a\r\n" + fields;
    String chunked = "Transfer-Encoding: chunked\r\n\r\n" + CHUNKS + LAST;
    assertThat(ask(old + chunked)).containsExactly(400);
    assertThat(ask(old + "Connection: keep-alive\r\n" + chunked)).containsExactly(400);
  }

  @Test
  void pipeline_severalRequests_areAnsweredInOrder() throws Exception {
    String check = HEAD + LENGTH + "\r\n" + BODY;
    String get = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
    String lost = "POST /nothing HTTP/1.1\r\nHost: a\r\n" + LENGTH + "\r\n" + BODY;
    String wrong = "PUT /v1/check HTTP/1.1\r\nHost: a\r\n" + LENGTH + "\r\n" + BODY;
    assertThat(ask(check + get + lost + wrong + check + LAST))
        .containsExactly(200, 200, 404, 405, 200, 404);
  }

  @ParameterizedTest
  @CsvSource({
    "GET /readyz HTTP/1.0\\r\\n\\r\\n, 200",
    "GET /readyz\\r\\n\\r\\n, 400",
    "GET /rea dyz HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n, 400",
    "GET http://b/readyz HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 200",
    "OPTIONS * HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 404",
    "CONNECT a:80 HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 404",
    "TRACE /readyz HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 405",
    "GET //readyz HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 404",
    "GET /v1%2Fpolicies HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 404",
    "GET /v1/policies/../readyz HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 404",
    "GET /v1/policies/%2e%2e HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 404",
    "GET /v1/policies/%zz HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 400",
    "GET /v1/policies/a%2 HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 400",
    "GET /v1/policies/%ff HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 400",
    "GET /v1/policies?limit=%zz HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 400",
    "GET /v1/policies?limit=0 HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n, 400",
  })
  void request_unusual_isAnsweredOnce(String request, int status) throws Exception {
    assertThat(ask(text(request))).containsExactly(status);
  }

  @Test
  void upgrade_toAnotherProtocol_isIgnored() throws Exception {
    String settings = "Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
    String h2c = "GET /readyz HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n" + settings + "\r\n";
    String key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    String upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    String webSocket = "GET /readyz HTTP/1.1\r\nHost: a\r\n" + upgrade + key + "\r\n";
    assertThat(ask(h2c + webSocket + LAST)).containsExactly(200, 200, 404);
    assertThat(ask("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).containsExactly(400);
  }

  @Test
  void head_tooLarge_is431Or414() throws Exception {
    String large = "X-A: " + "a".repeat(70_000) + "\r\n";
    assertThat(ask("GET /readyz HTTP/1.1\r\n" + large + "\r\n")).containsExactly(431);
    String many = "X-A: abcdefgh\r\n".repeat(2_000);
    assertThat(ask("GET /readyz HTTP/1.1\r\n" + many + "\r\n")).containsExactly(431);
    assertThat(ask("GET /" + "a".repeat(70_000) + " HTTP/1.1\r\n\r\n")).containsExactly(414);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1048577", "2000000", "9999999", "99999999999"})
  void body_declaredTooLarge_is413AtOnce(String length) throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      socket.send(HEAD + "Content-Length: " + length + "\r\n\r\n{");
      assertThat(socket.readToEnd()).startsWith("HTTP/1.1 413 ").contains(length);
      // The answer is safe: the server still takes what it throws away.
      socket.send("a".repeat(500_000)).send("a".repeat(500_000));
    }
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      socket.send(HEAD + "Content-Length: " + length + "\r\n\r\n{").endSending();
      assertThat(statuses(socket.readToEnd())).containsExactly(413);
    }
  }

  @Test
  void expect_continue_isContinued() throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      socket.send(HEAD + LENGTH + "Expect: 100-continue\r\n\r\n");
      assertThat(socket.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
      assertThat(statuses(socket.send(BODY + LAST).readToEnd())).containsExactly(200, 404);
    }
  }

  @Test
  void head_ofAPage_hasNoBody() throws Exception {
    String head = "HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      assertThat(socket.send(head).readToEnd()).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
    }
  }

  @Test
  void chunks_odd_leaveNothingInTheLog(@TempDir Path folder) throws Exception {
    try (LogLines log = new LogLines(/* name= */ "", Level.WARNING)) {
      try (Rig own = new Rig(folder);
          RawSocket socket = new RawSocket(own.front.port())) {
        socket.send(HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n");
        assertThat(statuses(socket.readToEnd())).containsExactly(400);
      }
      assertThat(log.lines()).isEmpty();
    }
  }
}
