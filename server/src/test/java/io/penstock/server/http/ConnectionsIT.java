package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.LAST;
import static io.penstock.server.http.RawSocket.statuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Bounds;
import io.penstock.server.security.Gatekeeper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionsIT {
  private static final int MOST = 20;
  private static final String READY = "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n";

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    Bounds bounds = Rig.bounds(MOST, /* idleSeconds= */ 1);
    rig = new Rig(folder, Gatekeeper.open(), Rig.settings(bounds, List.of(), /* uds= */ null));
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private RawSocket connect() throws Exception {
    return new RawSocket(rig.front.port());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nCont",
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{",
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"
      })
  void connection_thatSendsNoWholeRequest_isClosed(String half) throws Exception {
    try (RawSocket socket = connect().send(half)) {
      try (RawSocket other = connect().send(LAST)) {
        assertThat(statuses(other.readToEnd())).containsExactly(404);
      }
      assertThat(socket.readToEnd()).isEmpty();
    }
  }

  @Test
  void connection_thatSendsByteByByte_isClosedToo() throws Exception {
    try (RawSocket socket = connect().send("GET /readyz HTTP/1.1\r\nX-A: ")) {
      while (socket.isOpenFor(/* millis= */ 100)) {
        socket.send("a");
      }
    }
  }

  @Test
  void connections_beyondTheBound_areClosedAndOthersGoOn() throws Exception {
    List<RawSocket> open = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      open.add(connect());
      open.get(i).send(READY).readUntil("ready\n");
    }
    try (RawSocket beyond = connect().send(LAST)) {
      assertThat(beyond.readToEnd()).isEmpty();
    }
    open.get(0).send(LAST).readToEnd();
    assertThat(statuses(untilAnswered())).containsExactly(404);
    for (RawSocket socket : open) {
      socket.close();
    }
  }

  /** The place of a connection that was closed is free a moment later. */
  private String untilAnswered() throws Exception {
    String answer = "";
    while (answer.isEmpty()) {
      try (RawSocket socket = connect().send(LAST)) {
        answer = socket.readToEnd();
      }
    }
    return answer;
  }
}
