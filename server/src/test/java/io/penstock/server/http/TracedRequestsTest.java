package io.penstock.server.http;

import static io.penstock.server.http.Rig.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.ops.SpanRecorder;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The span of whatever is asked over HTTP is below that of whoever asks. */
class TracedRequestsTest {
  private static final String CHECK = body("api", "user", "a", 1);

  private SpanRecorder spans;
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    spans = new SpanRecorder();
    rig = Rig.traced(folder);
    rig.policy("api/user", "{\"limits\":[\"10/hour\",\"5 concurrent lease 30s\"]}");
  }

  @AfterEach
  void stop() throws IOException {
    rig.close();
    spans.close();
  }

  private String raw(String fields) throws IOException {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String head = "POST /v1/check HTTP/1.1\r\nHost: a\r\n%sContent-Length: %d\r\n\r\n";
      return socket
          .send(head.formatted(fields, CHECK.length()) + CHECK + RawSocket.LAST)
          .readToEnd();
    }
  }

  @ParameterizedTest
  @CsvSource({"'', short", "'Expect: 100-continue\r\n', long"})
  void check_withATraceparent_isBelowIt(String more, String way) throws IOException {
    assertThat(raw(more + "TraceParent:  " + SpanRecorder.PARENT + " \r\n"))
        .as(way)
        .contains("200");
    assertThat(spans.ended()).containsExactly("penstock.check" + SpanRecorder.BELOW);
  }

  @ParameterizedTest
  @CsvSource({"''", "'Traceparent: 00-nothing-of-that-sort-01\r\n'", "'x-traceparent: 1\r\n'"})
  void check_withoutATraceparent_isBelowNone(String field) throws IOException {
    assertThat(raw(field)).contains("200");
    assertThat(spans.ended()).containsExactly("penstock.check");
  }

  @ParameterizedTest
  @CsvSource({"/v1/reserve, penstock.reserve", "/v1/acquire, penstock.acquire"})
  void hold_withATraceparent_isASpanBelowIt(String path, String name) throws Exception {
    assertThat(rig.post(path, CHECK, "traceparent", SpanRecorder.PARENT).statusCode())
        .isEqualTo(200);
    assertThat(spans.ended()).containsExactly(name + SpanRecorder.BELOW);
  }

  @Test
  void batch_withATraceparent_hasAllChecksBelowIt() throws Exception {
    String two = "{\"checks\":[" + CHECK + "," + CHECK + "]}";
    assertThat(rig.post("/v1/check:batch", two, "traceparent", SpanRecorder.PARENT).statusCode())
        .isEqualTo(200);
    String span = "penstock.check" + SpanRecorder.BELOW;
    assertThat(spans.ended()).containsExactly(span, span);
  }

  @Test
  void gateway_withATraceparent_isBelowIt() throws Exception {
    String[] fields = {"traceparent", SpanRecorder.PARENT, "x-user", "a"};
    assertThat(rig.get("/v1/forward-auth/api/user:x-user", fields).statusCode()).isEqualTo(200);
    String rls =
        "{\"domain\":\"api\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"a\"}]}]}";
    assertThat(rig.post("/json", rls, fields).statusCode()).isEqualTo(200);
    String span = "penstock.check" + SpanRecorder.BELOW;
    assertThat(spans.ended()).containsExactly(span, span);
  }
}
