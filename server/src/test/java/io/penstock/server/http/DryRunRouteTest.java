package io.penstock.server.http;

import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.policy.Expected;
import io.penstock.server.policy.Kind;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a dry run takes, and what it says of the rest. */
class DryRunRouteTest {
  private static Rig rig;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
    String tier = "{\"limits\":[\"5/s burst 9\"]}";
    rig.store.put(Kind.TIER, "buckets", tier, new Expected.Absent(), "test");
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  private static String path(String scope) {
    return "/v1/policies/" + URLEncoder.encode(scope, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "api/user; {\"limits\":[\"1/s\"],\"share\":[\"nope\"]}",
        "api/user; {\"limits\":[\"1/x\"],\"share\":[\"nope\"]}",
        "api/user; {\"tier\":\"none\",\"override\":{\"share\":[\"nope\"]}}",
        "api/user; {\"tier\":\"none\"}",
        "api/user; {\"tier\":\"none\",\"algorithm\":\"magic\"}",
        "api/user; {\"tier\":\"buckets\",\"override\":{\"algorithm\":\"fixed-window\"}}",
        "*/user; {\"limits\":[\"1/s\"]}",
        "*/user; {\"limits\":[\"1/s\"],\"share\":[\"nope\"]}",
        "api; {\"limits\":[\"1/s\"]}",
        "api/user=; {\"limits\":[\"1/x\"]}",
        "api/LONG; {\"limits\":[\"1/s\"]}",
        "LONG/user; {\"limits\":[\"1/x\"]}",
        "api/user; []",
        "api/user; {",
      })
  void dryRun_ofWhatPutRefuses_tellsTheSameProblems(String scope, String document)
      throws Exception {
    String path = path(scope.replace("LONG", "é".repeat(513)));
    HttpResponse<String> put = rig.put(path, document, "If-None-Match", "*");
    assertThat(put.statusCode()).as(put.body()).isEqualTo(400);
    HttpResponse<String> tried = rig.post(path + "/dry-run", document);
    assertThat(tried.statusCode()).as(tried.body()).isEqualTo(400);
    assertThat(json(tried)).isEqualTo(json(put));
  }

  @Test
  void dryRun_ofWhatPutTakes_changesNothing() throws Exception {
    String document = "{\"tier\":\"buckets\",\"override\":{\"share\":[\"user\"]}}";
    String path = path("taken/user");
    assertThat(rig.post(path + "/dry-run", document).statusCode()).isEqualTo(200);
    assertThat(rig.get(path).statusCode()).isEqualTo(404);
    assertThat(rig.put(path, document, "If-None-Match", "*").statusCode()).isEqualTo(201);
  }
}
