package io.penstock.server.http;

import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.policy.Expected;
import io.penstock.server.policy.Kind;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and histories that are told in several answers. */
class DocumentPagesTest {
  private static final String HISTORY = "/v1/policies/api%2Fuser/history";

  /** So many documents of so many blanks are more than 8 MB. */
  private static final int MANY = 150;

  private static final String BLANKS = " ".repeat(60_000);

  /** That of the documents, and a little for what is around them. */
  private static final int BYTES_MAX = (8 << 20) + (1 << 16);

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private void change(int times, String blanks) {
    for (int i = 1; i <= times; i++) {
      Expected expected = i == 1 ? new Expected.Absent() : new Expected.Any();
      String document = "{\"limits\":[\"" + i + "/s\"]" + blanks + "}";
      rig.store.put(Kind.POLICY, "api/user", document, expected, "test");
    }
  }

  private static List<Long> versions(JsonNode answer) {
    List<Long> versions = new ArrayList<>();
    answer.get("history").forEach(change -> versions.add(change.get("version").asLong()));
    return versions;
  }

  private static List<String> scopes(JsonNode answer) {
    List<String> scopes = new ArrayList<>();
    answer.get("policies").forEach(policy -> scopes.add(policy.get("scope").asText()));
    return scopes;
  }

  @Test
  void history_ofMoreThanAnAnswerTakes_goesOnBeforeItsLast() throws Exception {
    change(MANY, BLANKS);
    HttpResponse<String> answer = rig.get(HISTORY);
    assertThat(answer.body().length()).isBetween(BYTES_MAX / 2, BYTES_MAX);
    JsonNode first = json(answer);
    JsonNode rest = json(rig.get(HISTORY + "?before=" + first.get("next").asLong()));
    assertThat(rest.has("next")).isFalse();
    List<Long> all = versions(first);
    all.addAll(versions(rest));
    assertThat(all).isEqualTo(LongStream.rangeClosed(1, MANY).mapToObj(i -> MANY + 1 - i).toList());
  }

  @Test
  void list_ofMoreThanAnAnswerTakes_goesOnAfterItsLast() throws Exception {
    List<String> names = IntStream.range(0, MANY).mapToObj(i -> "api/user=" + (1_000 + i)).toList();
    names.forEach(name -> rig.policy(name, "{\"limits\":[\"1/s\"]" + BLANKS + "}"));
    HttpResponse<String> answer = rig.get("/v1/policies?limit=1000");
    assertThat(answer.body().length()).isBetween(BYTES_MAX / 2, BYTES_MAX);
    JsonNode first = json(answer);
    String next = first.get("next").asText().replace("/", "%2F").replace("=", "%3D");
    JsonNode rest = json(rig.get("/v1/policies?limit=1000&after=" + next));
    assertThat(rest.has("next")).isFalse();
    List<String> all = scopes(first);
    all.addAll(scopes(rest));
    assertThat(all).isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource({
    "?limit=2, '3,2', 2",
    "?limit=3, '3,2,1', 0",
    "?before=3, '2,1', 0",
    "?before=3&limit=1, '2', 2",
    "?before=1, '', 0",
    "?before=9, '3,2,1', 0"
  })
  void history_limitAndBefore_areToldWithWhatIsNext(String query, String versions, long next)
      throws Exception {
    change(/* times= */ 3, /* blanks= */ "");
    JsonNode answer = json(rig.get(HISTORY + query));
    assertThat(String.join(",", versions(answer).stream().map(String::valueOf).toList()))
        .isEqualTo(versions);
    assertThat(answer.path("next").asLong()).isEqualTo(next);
  }

  @Test
  void list_asManyAsThereAre_hasNoNext() throws Exception {
    rig.policy("api/a", "{\"limits\":[\"1/s\"]}").policy("api/b", "{\"limits\":[\"1/s\"]}");
    assertThat(json(rig.get("/v1/policies?limit=2")).has("next")).isFalse();
    assertThat(json(rig.get("/v1/policies?limit=1")).get("next").asText()).isEqualTo("api/a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "x", "", "9223372036854775808", "1.0"})
  void history_beforeWhatIsNoVersion_is400(String before) throws Exception {
    change(/* times= */ 1, /* blanks= */ "");
    HttpResponse<String> refused = rig.get(HISTORY + "?before=" + before);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(json(refused).get("field").asText()).isEqualTo("before");
  }

  @Test
  void history_beforeAVersionOfWhatNeverWas_is404() throws Exception {
    assertThat(rig.get(HISTORY + "?before=5").statusCode()).isEqualTo(404);
  }
}
