package io.penstock.server.http;

import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.ops.Health;
import io.penstock.testkit.LogLines;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationRoutesTest {
  /** Of the event loops of a rig: a new connection belongs to one after the other. */
  private static final int LOOPS = 2;

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  @Test
  void ready_whileLoading_is503() throws Exception {
    assertThat(rig.get("/readyz").statusCode()).isEqualTo(200);
    rig.health.enter(Health.Phase.LOADING);
    HttpResponse<String> loading = rig.get("/readyz");
    assertThat(loading.statusCode()).isEqualTo(503);
    assertThat(json(loading).get("detail").asText()).isEqualTo("loading");
    assertThat(rig.get("/healthz").statusCode()).isEqualTo(200);
  }

  /** As load balancers before envoyproxy/ratelimit ask. */
  @Test
  void healthcheck_untilItDrains_isOk() throws Exception {
    HttpResponse<String> ready = rig.get("/healthcheck");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body()).isEqualTo("OK");
    try (LogLines log = new LogLines(/* name= */ "", Level.WARNING)) {
      rig.health.enter(Health.Phase.DRAINING);
      assertThat(rig.get("/healthcheck").statusCode()).isEqualTo(500);
      rig.health.enter(Health.Phase.LOADING);
      assertThat(rig.get("/healthcheck").statusCode()).isEqualTo(500);
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void health_partInTrouble_isNamed() throws Exception {
    rig.health.watch("disk", () -> "No space left on device");
    HttpResponse<String> health = rig.get("/healthz");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(json(health).get("status").asText()).isEqualTo("degraded");
    assertThat(json(health).at("/parts/disk").asText()).contains("No space left");
  }

  @Test
  void metrics_afterChecks_countThemWithoutKeys() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"1/min\"]}");
    rig.check("user", "secret-key", 1);
    rig.check("user", "secret-key", 1);
    rig.get("/v1/forward-auth/api/user:X-User", "X-User", "b");
    HttpResponse<String> metrics = rig.get("/metrics");
    assertThat(metrics.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(metrics.body())
        .doesNotContain("secret-key")
        .containsPattern("protocol=\"http\".*result=\"allowed\".* 1\\.0")
        .containsPattern("protocol=\"http\".*result=\"denied\".* 1\\.0")
        .containsPattern("protocol=\"forward-auth\".*result=\"allowed\".* 1\\.0");
  }

  /** Waits longer than whoever is kept waiting. */
  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void metrics_thatTakeLong_keepNobodyElseWaiting() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    rig.metrics()
        .gauge(
            "penstock_slow",
            "Takes long.",
            () -> {
              asked.countDown();
              await(free);
              return 7;
            });
    try (RawSocket first = new RawSocket(rig.front.port())) {
      first.send("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      await(asked);
      for (int i = 0; i < 2 * LOOPS; i++) {
        try (RawSocket other = new RawSocket(rig.front.port())) {
          assertThat(RawSocket.statuses(other.send(RawSocket.LAST).readToEnd()))
              .containsExactly(404);
        }
      }
      free.countDown();
      assertThat(first.readToEnd()).contains("penstock_slow 7.0");
    } finally {
      free.countDown();
    }
  }

  @Test
  void metrics_whileNobodyReachesTheStore_areTold() throws Exception {
    CountDownLatch waiting = new CountDownLatch(4);
    CountDownLatch free = new CountDownLatch(1);
    rig.store.beforeReads(
        () -> {
          waiting.countDown();
          await(free);
        });
    List<RawSocket> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        readers.add(new RawSocket(rig.front.port()));
        readers.get(i).send("GET /v1/tiers HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      }
      await(waiting);
      assertThat(rig.get("/metrics").statusCode()).isEqualTo(200);
    } finally {
      free.countDown();
      for (RawSocket reader : readers) {
        assertThat(RawSocket.statuses(reader.readToEnd())).containsExactly(200);
        reader.close();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"/,text/html", "/page.js,text/javascript", "/page.css,text/css"})
  void page_eachFile_isForItselfOnly(String path, String type) throws Exception {
    HttpResponse<String> page = rig.get(path, "Origin", "https://foreign.example");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith(type);
    assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "frame-ancestors 'none'");
    assertThat(page.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void page_linksAndScripts_areThere() throws Exception {
    String html = rig.get("/").body();
    assertThat(html).doesNotContain("<script>", "style=", "onclick");
    Matcher links = Pattern.compile("(?:href|src)=\"([^\"]+)\"").matcher(html);
    assertThat(links.results().map(match -> match.group(1)).toList())
        .hasSizeGreaterThan(5)
        .allSatisfy(link -> assertThat(rig.get(link).statusCode()).as(link).isEqualTo(200));
  }

  @Test
  void answers_ofTheApi_areNotForForeignPages() throws Exception {
    HttpResponse<String> answer = rig.get("/v1/policies", "Origin", "https://foreign.example");
    assertThat(answer.headers().map().keySet())
        .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
  }
}
