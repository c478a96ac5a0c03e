package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.LAST;
import static io.penstock.server.http.RawSocket.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short way of checks does what the long way does, and gives everything else to it. */
class PlainChecksTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
    rig.policy("api/user", "{\"limits\":[\"5/hour\"]}");
    rig.policy("api/strict", "{\"limits\":[\"5/hour\"],\"consistency\":\"strict\"}");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private static String body(String key) {
    return "{\"domain\":\"api\",\"descriptors\":[[{\"key\":\"%s\",\"value\":\"42\"}]]}"
        .formatted(key);
  }

  private static String check(String body, String fields) {
    return "POST /v1/check HTTP/1.1\r\nHost: a\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(fields, body.length(), body);
  }

  private static String plain(String key) {
    return check(body(key), "");
  }

  private String ask(String text) throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      return socket.send(text + LAST).readToEnd();
    }
  }

  private static List<JsonNode> bodies(String answers) throws Exception {
    List<JsonNode> bodies = new ArrayList<>();
    for (String part : answers.split("HTTP/1.1 200 OK\r\n", -1)) {
      if (part.contains("{\"allowed\"")) {
        bodies.add(JSON.readTree(part.substring(part.indexOf("\r\n\r\n"))));
      }
    }
    return bodies;
  }

  private static List<Integer> remaining(String answers) throws Exception {
    return bodies(answers).stream().map(body -> body.get("remaining").asInt()).toList();
  }

  @Test
  void check_plain_isAnsweredAsTheLongWayDoes() throws Exception {
    String shortWay = ask(plain("user"));
    rig.post("/v1/keys/reset", body("user"), "Content-Type", "application/json");
    String longWay = ask(check(body("user"), "Upgrade: nothing\r\n"));

    assertThat(fields(shortWay)).isEqualTo(fields(longWay));
    assertThat(bodies(shortWay)).isEqualTo(bodies(longWay)).hasSize(1);
  }

  /** The fields of the first answer, whatever their order. */
  private static Set<String> fields(String answers) {
    String head = answers.substring(0, answers.indexOf("\r\n\r\n"));
    return new TreeSet<>(List.of(head.split("\r\n", -1)));
  }

  @Test
  void check_manyAtOnce_areAnsweredInOrderUntilNothingIsLeft() throws Exception {
    assertThat(remaining(ask(plain("user").repeat(7)))).containsExactly(4, 3, 2, 1, 0, 0, 0);
  }

  @Test
  void check_strictManyAtOnce_areAnsweredInOrder() throws Exception {
    String answers = ask((plain("strict") + plain("user")).repeat(6));

    assertThat(remaining(answers)).containsExactly(4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0, 0);
    assertThat(bodies(answers).get(0).get("durability").asText()).isEqualTo("strict");
  }

  @Test
  void check_amongOthers_isAnsweredInItsTurn() throws Exception {
    String other = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";

    String answers = ask(plain("user") + plain("strict") + other + plain("user") + other);

    assertThat(statuses(answers)).containsExactly(200, 200, 200, 200, 200, 404);
    assertThat(remaining(answers)).containsExactly(4, 4, 3);
  }

  @Test
  void check_cutAnywhere_isAnsweredOnce() throws Exception {
    String text = plain("user");
    for (int cut = 1; cut < text.length(); cut += 7) {
      try (RawSocket socket = new RawSocket(rig.front.port())) {
        socket.send(plain("other") + text.substring(0, cut));
        socket.readUntil("}]}");
        String answers = socket.send(text.substring(cut) + LAST).readToEnd();
        assertThat(bodies("HTTP/1.1 200 OK\r\n\r\n" + answers)).as("cut at %s", cut).hasSize(1);
      }
    }
  }

  @Test
  void check_wrongBody_isRefusedAndTheNextOneAnswered() throws Exception {
    String wrong = plain("user").replace("descriptors", "descriptorz");

    String answers = ask(plain("user") + wrong + plain("user"));

    assertThat(statuses(answers)).containsExactly(200, 400, 200, 404);
    assertThat(answers).contains("descriptorz");
    assertThat(remaining(answers)).containsExactly(4, 3);
  }

  /** A check that waits for the disk, and that can be seen to be decided before. */
  private String seen() {
    rig.policy("api/seen", "{\"limits\":[\"100/hour\"],\"consistency\":\"none\"}");
    return check(body("strict").replace("]]", "],[{\"key\":\"seen\",\"value\":\"42\"}]]"), "");
  }

  @Test
  void check_strictManyAtOnce_areAllDecidedBeforeTheFirstIsDurable() throws Exception {
    String check = seen();
    CountDownLatch disk = rig.holdDisk();
    try (RawSocket socket = new RawSocket(rig.front.port()).send(check.repeat(5))) {
      rig.awaitUsed("seen", "42", 5);
      disk.countDown();

      assertThat(remaining(socket.send(LAST).readToEnd())).containsExactly(4, 3, 2, 1, 0);
    } finally {
      disk.countDown();
    }
  }

  @Test
  void close_whileStrictChecksWaitForTheDisk_answersWhatItHasCounted() throws Exception {
    String check = seen();
    CountDownLatch disk = rig.holdDisk();
    try (RawSocket one = new RawSocket(rig.front.port()).send(check);
        RawSocket two = new RawSocket(rig.front.port()).send(check.repeat(2));
        RawSocket idle = new RawSocket(rig.front.port());
        RawSocket idleToo = new RawSocket(rig.front.port())) {
      rig.awaitUsed("seen", "42", 3);
      rig.front.stopAccepting();
      // Those of both event loops are closed by now.
      assertThat(idle.readToEnd() + idleToo.readToEnd()).isEmpty();
      disk.countDown();

      assertThat(remaining(one.readToEnd())).hasSize(1);
      assertThat(remaining(two.readToEnd())).hasSize(2);
    } finally {
      disk.countDown();
    }
  }
}
