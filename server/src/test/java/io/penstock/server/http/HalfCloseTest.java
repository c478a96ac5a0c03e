package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.LAST;
import static io.penstock.server.http.RawSocket.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.security.Gatekeeper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that says it sends no more gets every answer it has asked for, and then the end. */
class HalfCloseTest {
  private static final int CONNECTIONS = 20;

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    HttpSettings settings =
        Rig.settings(Rig.bounds(CONNECTIONS, /* idleSeconds= */ 600), List.of(), /* uds= */ null);
    rig = new Rig(folder, Gatekeeper.open(), settings);
    rig.policy("api/strict", "{\"limits\":[\"1000/hour\"],\"consistency\":\"strict\"}");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private static String check(String key, String fields) {
    String body = Rig.body("api", key, "42", /* cost= */ 1);
    return "POST /v1/check HTTP/1.1\r\nHost: a\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(fields, body.length(), body);
  }

  /** Sends to all connections there may be, ends each, and gives the statuses of each. */
  private List<List<Integer>> ask(String text) throws Exception {
    List<RawSocket> sockets = new ArrayList<>();
    List<List<Integer>> answers = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        sockets.add(new RawSocket(rig.front.port()).send(text).endSending());
      }
      for (RawSocket socket : sockets) {
        answers.add(statuses(socket.readToEnd()));
      }
      // Nobody has closed both ways, and yet there is room for others.
      awaitRoom();
    } finally {
      for (RawSocket socket : sockets) {
        socket.close();
      }
    }
    return answers;
  }

  /** The place of a connection that was closed is free a moment later. */
  private void awaitRoom() throws Exception {
    String answer = "";
    while (answer.isEmpty()) {
      try (RawSocket socket = new RawSocket(rig.front.port()).send(LAST)) {
        answer = socket.readToEnd();
      }
    }
  }

  private static List<List<Integer>> each(Integer... statuses) {
    return Collections.nCopies(CONNECTIONS, List.of(statuses));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upgrade: nothing\r\n"})
  void check_strict_isAnsweredBeforeTheEnd(String fields) throws Exception {
    assertThat(ask(check("strict", fields))).isEqualTo(each(200));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upgrade: nothing\r\n"})
  void checks_strictInARow_areAllAnsweredBeforeTheEnd(String fields) throws Exception {
    String get = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";
    String row = check("strict", fields) + check("strict", "") + get + check("strict", fields);
    assertThat(ask(row)).isEqualTo(each(200, 200, 200, 200));
  }

  /** The library stops reading when so many requests wait for their turn. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Upgrade: nothing\r\n"})
  void checks_strictAndMany_areAllAnsweredBeforeTheEnd(String fields) throws Exception {
    List<List<Integer>> answers = ask(check("strict", fields).repeat(30));
    assertThat(answers).isEqualTo(each(Collections.nCopies(30, 200).toArray(Integer[]::new)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upgrade: nothing\r\n"})
  void check_thatWaitsForTheDisk_keepsTheConnection(String fields) throws Exception {
    CountDownLatch disk = rig.holdDisk();
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      socket.send(check("strict", fields)).endSending();
      assertThat(socket.isOpenFor(/* millis= */ 100)).isTrue();
      disk.countDown();

      assertThat(statuses(socket.readToEnd())).containsExactly(200);
    } finally {
      disk.countDown();
    }
  }

  @Test
  void connection_thatHasAskedNothing_isClosed() throws Exception {
    assertThat(ask("")).isEqualTo(each());
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 30, 100})
  void request_cutByTheEnd_isNotCarriedOutAndTheOneBeforeIs(int length) throws Exception {
    String text = check("strict", "");
    for (List<Integer> statuses : ask(text + text.substring(0, length))) {
      assertThat(statuses).startsWith(200).doesNotHaveDuplicates();
    }
    assertThat(rig.check("strict", "42", /* cost= */ 0).get("remaining").asInt())
        .isEqualTo(1000 - CONNECTIONS);
  }
}
